-- Looks at no more than `searchLimit` keys, and only into the index.
SELECT {fields} FROM record
WHERE id IN (
	SELECT id FROM (
		SELECT id, key FROM record
		WHERE namespaceId = :namespaceId AND key BETWEEN max(:keyFrom, :afterKey) AND :keyTo AND +key > :afterKey
		ORDER BY key LIMIT :searchLimit)
	WHERE instr(key, :keyPart) > 0)
	AND {filters}
ORDER BY +key LIMIT :limit
