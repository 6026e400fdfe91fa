-- Params   1 name
-- Returns  id
SELECT id FROM namespace WHERE name = ?1
