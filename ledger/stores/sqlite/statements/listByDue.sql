-- What is never due is listed by listNeverDue.
SELECT {fields} FROM record
WHERE namespaceId = :namespaceId AND state = :state AND dueAt BETWEEN :afterTime AND :dueBefore AND unindexed = ''
	AND (dueAt, key) > (:afterTime, :afterKey) AND +dueAt <> 253402300799000
	AND {filters}
ORDER BY dueAt, key LIMIT :limit
