SELECT {fields} FROM record
WHERE namespaceId = :namespaceId AND key BETWEEN max(:keyFrom, :afterKey) AND :keyTo AND +key > :afterKey
	AND {filters}
ORDER BY key LIMIT :limit
