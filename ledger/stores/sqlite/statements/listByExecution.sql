SELECT {fields} FROM record
WHERE executionId = :executionId AND namespaceId = :namespaceId AND key > :afterKey AND unindexed = ''
	AND {filters}
ORDER BY key LIMIT :limit
