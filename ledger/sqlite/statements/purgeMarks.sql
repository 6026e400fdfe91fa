-- Params   1 now, 2 how many at most
DELETE FROM mark WHERE (namespace_id, object) IN (
	SELECT namespace_id, object FROM mark WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
