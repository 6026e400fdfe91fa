-- Params   1 id
-- Returns  input, result
SELECT input, result FROM event WHERE id = ?1
