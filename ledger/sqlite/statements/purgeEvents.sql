-- Removes expired events and all that belongs to them, longest expired first.
--
-- Params   1 now, 2 how many at most
-- Returns  namespace's id of each
DELETE FROM event WHERE id IN (SELECT id FROM event WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
RETURNING namespace_id AS namespaceId
