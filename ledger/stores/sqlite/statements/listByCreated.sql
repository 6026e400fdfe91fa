SELECT {fields} FROM record
WHERE namespaceId = :namespaceId AND createdAt <= :afterTime AND unindexed = ''
	AND (createdAt, key) < (:afterTime, :afterKey)
	AND {filters}
ORDER BY createdAt DESC, key DESC LIMIT :limit
