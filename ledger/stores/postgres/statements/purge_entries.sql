-- Removes expired entries.
WITH removed AS (
	DELETE FROM :schema.entry WHERE ctid = ANY (ARRAY(
		SELECT ctid FROM :schema.entry WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit::bigint FOR UPDATE SKIP LOCKED))
	RETURNING 1
)
SELECT count(*) AS count FROM removed
