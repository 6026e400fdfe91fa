-- `+key` keeps SQLite from going through the whole namespace by key.
SELECT {fields} FROM record
WHERE namespaceId = :namespaceId AND substr(fingerprint, -8) = substr(:fingerprint, -8)
	AND fingerprint = :fingerprint AND +key > :afterKey
	AND {filters}
ORDER BY +key LIMIT :limit
