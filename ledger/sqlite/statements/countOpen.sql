-- Reads the index of what is open and nothing else.
--
-- Params   1 namespace, or null for all
-- Returns  state, count
SELECT state, count(*) AS count FROM event INDEXED BY event_due
WHERE state <> 'done' AND fresh = 0 AND (?1 IS NULL OR namespace_id = (SELECT id FROM namespace WHERE name = ?1))
GROUP BY state
