-- Removes expired records with their parts. Records that somebody works on are passed over: nobody waits for this.
-- For `= ANY` see swap.sql.
WITH seen AS MATERIALIZED (
	SELECT e.id, e.namespace, e.key, e.revision FROM :schema.event e
	WHERE e.expires_at <= :now
	ORDER BY e.expires_at LIMIT :limit::bigint
	FOR UPDATE SKIP LOCKED
),
removed AS (
	DELETE FROM :schema.event e USING seen s
	WHERE e.namespace = ANY (ARRAY[s.namespace]) AND e.key = s.key AND e.revision = s.revision
	RETURNING e.id, e.namespace
),
parts AS (DELETE FROM :schema.part p USING removed r WHERE p.event_id = ANY (ARRAY[r.id])),
tallied AS (
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	SELECT namespace, :today, 'purged', count(*) FROM removed GROUP BY namespace
)
SELECT count(*) AS count FROM removed
