SELECT {fields} FROM record
WHERE namespaceId = :namespaceId AND state = :state AND dueAt = 253402300799000 AND unindexed = '' AND key > :afterKey
	AND {filters}
ORDER BY key LIMIT :limit
