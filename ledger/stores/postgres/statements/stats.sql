-- How many records are in which state, and the tallies of the last days. What is done is not counted one by one.
WITH open AS MATERIALIZED (
	SELECT e.state, count(*) AS count FROM :schema.event e
	WHERE e.state <> 'done'
		-- Not compared with an equals sign, so that the planner takes the index without what is done.
		AND e.namespace IS NOT DISTINCT FROM :namespace::text -- if given
	GROUP BY e.state
),
tallies AS MATERIALIZED (
	SELECT t.namespace, t.day, t.kind, sum(t.count)::bigint AS count
	FROM (SELECT * FROM :schema.tally UNION ALL SELECT * FROM :schema.tally_new) t
	WHERE true
		AND t.namespace = :namespace::text -- if given
	GROUP BY t.namespace, t.day, t.kind
)
SELECT state, NULL AS namespace, NULL AS day, NULL AS kind, count FROM open
UNION ALL
SELECT 'done', NULL, NULL, NULL,
	coalesce((SELECT sum(CASE kind WHEN 'purged' THEN -count ELSE count END) FROM tallies WHERE kind IN ('new', 'imported', 'purged')), 0)::bigint
		- coalesce((SELECT sum(count) FROM open), 0)::bigint
UNION ALL
SELECT NULL, namespace, to_char(day, 'YYYY-MM-DD'), kind, count FROM tallies WHERE day > :today - :days::integer
