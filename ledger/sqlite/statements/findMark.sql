-- Params   1 namespace's id, 2 object, 3 now
-- Returns  version
SELECT version FROM mark WHERE namespace_id = ?1 AND object = ?2 AND expires_at > ?3
