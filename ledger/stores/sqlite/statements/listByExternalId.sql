SELECT {fields} FROM record
WHERE id IN (
		SELECT id FROM record WHERE externalId = :externalId AND unindexed = ''
		UNION SELECT recordId FROM part WHERE externalId = :externalId)
	AND +namespaceId = :namespaceId AND +key > :afterKey
	AND {filters}
ORDER BY +key LIMIT :limit
