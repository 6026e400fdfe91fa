-- Reads the index of what is open and nothing else.
SELECT state, count(*) AS count FROM record INDEXED BY recordDue
WHERE namespaceId = :namespaceId AND dueAt IS NOT NULL AND unindexed = ''
GROUP BY state
