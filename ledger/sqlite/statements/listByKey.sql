-- The events of a namespace, or those with a start of the key, by key.
--
-- Params   namespace, keyFrom, keyTo; state, executionId, fingerprint, createdAfter, createdBefore: null if any will do;
--          afterNamespace, afterKey: where the last page ended; now, limit
-- Returns  events
SELECT * FROM event_record
WHERE namespaceId = (SELECT id FROM namespace WHERE name = :namespace)
	AND key BETWEEN max(:keyFrom, :afterKey) AND :keyTo
	AND (namespace, key) > (:afterNamespace, :afterKey)
	AND (:state IS NULL OR state = :state)
	AND (:executionId IS NULL OR executionId = :executionId)
	AND (:fingerprint IS NULL OR fingerprint = :fingerprint)
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
	AND (expiresAt IS NULL OR expiresAt > :now)
ORDER BY key LIMIT :limit
