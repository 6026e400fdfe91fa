-- Params   1 name
-- Returns  id
INSERT INTO namespace (name) VALUES (?1) RETURNING id
