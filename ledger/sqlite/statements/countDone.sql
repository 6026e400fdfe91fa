-- Without the expired ones, which are few when somebody purges.
--
-- Params   1 namespace, or null for all; 2 now
-- Returns  count
SELECT (SELECT coalesce(sum(done), 0) FROM namespace WHERE ?1 IS NULL OR name = ?1) - (
	SELECT count(*) FROM event INDEXED BY event_expires
	WHERE expires_at <= ?2 AND (?1 IS NULL OR namespace_id = (SELECT id FROM namespace WHERE name = ?1))) AS count
