-- Events, newest first: a page of each namespace, then the newest of these. There are about as many namespaces as workflows.
--
-- Params   namespace, state, createdAfter, createdBefore: null if any will do;
--          afterTime, afterNamespace, afterKey: where the last page ended; now, limit
-- Returns  events
SELECT record.* FROM namespace n JOIN event_record record ON record.id IN (
	SELECT e.id FROM event e
	WHERE e.namespace_id = n.id AND e.fresh = 0 AND e.created_at <= :afterTime
		AND (e.created_at, n.name, e.key) < (:afterTime, :afterNamespace, :afterKey)
		AND (:state IS NULL OR e.state = :state)
		AND (:createdAfter IS NULL OR e.created_at > :createdAfter)
		AND (:createdBefore IS NULL OR e.created_at < :createdBefore)
		AND (e.expires_at IS NULL OR e.expires_at > :now)
	ORDER BY e.created_at DESC, e.key DESC LIMIT :limit)
WHERE :namespace IS NULL OR n.name = :namespace
ORDER BY createdAt DESC, namespace DESC, key DESC LIMIT :limit
