-- The events that an execution holds or held last, by namespace and key.
--
-- Params   executionId; the rest as in listByKey
-- Returns  events
SELECT * FROM settled_record
WHERE executionId = :executionId
	AND (:namespace IS NULL OR namespace = :namespace)
	AND key BETWEEN :keyFrom AND :keyTo
	AND (namespace, key) > (:afterNamespace, :afterKey)
	AND (:state IS NULL OR state = :state)
	AND (:fingerprint IS NULL OR fingerprint = :fingerprint)
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
	AND (expiresAt IS NULL OR expiresAt > :now)
ORDER BY namespace, key LIMIT :limit
