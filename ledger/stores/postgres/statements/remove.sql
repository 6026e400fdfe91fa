-- Removes records with their parts, and marks. A record that somebody writes to meanwhile stays: it may have parts that this statement
-- does not see. It is seen and not removed then. For
-- `= ANY` see swap.sql.
WITH given AS :rows,
seen AS MATERIALIZED (
	SELECT g.index, g.only_if_expired, e.* FROM given g CROSS JOIN LATERAL (
		SELECT e.id, e.namespace, e.key, e.revision, e.expires_at FROM :schema.event e
		WHERE e.namespace = g.namespace AND e.key = g.key LIMIT 1) e
	WHERE NOT g.only_if_expired OR e.expires_at <= :now
),
removed AS (
	DELETE FROM :schema.event e USING seen s
	WHERE e.namespace = ANY (ARRAY[s.namespace]) AND e.key = s.key AND e.revision = s.revision
	RETURNING s.index, s.only_if_expired, e.id, e.namespace
),
parts AS (DELETE FROM :schema.part p USING removed r WHERE p.event_id = ANY (ARRAY[r.id])),
marks AS (
	DELETE FROM :schema.mark m USING given g
	WHERE m.namespace = ANY (ARRAY[g.namespace]) AND m.object = g.object AND m.version = g.version
),
tallied AS (
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	SELECT r.namespace, :today, k.kind, count(*)
	FROM removed r CROSS JOIN (VALUES ('purged'), ('deleted')) AS k (kind)
	WHERE k.kind = 'purged' OR NOT r.only_if_expired
	GROUP BY r.namespace, k.kind
)
SELECT (SELECT coalesce(json_agg(index), '[]') FROM seen) AS seen, (SELECT coalesce(json_agg(index), '[]') FROM removed) AS removed
