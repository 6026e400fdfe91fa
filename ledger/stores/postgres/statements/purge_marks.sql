-- Removes expired version marks.
WITH removed AS (
	DELETE FROM :schema.mark WHERE ctid = ANY (ARRAY(
		SELECT ctid FROM :schema.mark WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit::bigint FOR UPDATE SKIP LOCKED))
	RETURNING 1
)
SELECT count(*) AS count FROM removed
