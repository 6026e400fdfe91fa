-- The events of a namespace with a fingerprint, by key. `+key` keeps SQLite from going through the whole namespace by key.
--
-- Params   namespace, fingerprint; the rest as in listByKey
-- Returns  events
SELECT * FROM event_record
WHERE namespaceId = (SELECT id FROM namespace WHERE name = :namespace)
	AND substr(fingerprint, -8) = substr(:fingerprint, -8) AND fingerprint = :fingerprint
	AND +key BETWEEN :keyFrom AND :keyTo
	AND (namespace, +key) > (:afterNamespace, :afterKey)
	AND (:state IS NULL OR state = :state)
	AND (:executionId IS NULL OR executionId = :executionId)
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
	AND (expiresAt IS NULL OR expiresAt > :now)
ORDER BY +key LIMIT :limit
