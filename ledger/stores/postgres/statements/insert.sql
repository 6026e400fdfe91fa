-- Inserts records, unless there is one with the same key or alias; counts and returns those that are in the way, and expired ones and
-- those that no delivery met only with `reads`. For `= ANY` see swap.sql.
WITH given AS :rows,
inserted AS (
	-- include insert_rows.sql
	ON CONFLICT DO NOTHING
	RETURNING namespace, key
),
-- Looks nothing up if everything was inserted.
counted AS (
	UPDATE :schema.event e SET duplicates = e.duplicates + 1, last_seen_at = :now
	FROM given g
	WHERE (SELECT count(*) FROM inserted) < :size::bigint AND g.is_delivery AND e.namespace = ANY (ARRAY[g.namespace])
		AND e.key = coalesce(
			-- include met_key.sql
			g.key)
		AND (e.expires_at IS NULL OR e.expires_at > :now)
	RETURNING g.index, :record, e.result
),
met AS (
	SELECT * FROM counted
	-- if reads
	UNION ALL
	SELECT g.index, e.*
	FROM given g CROSS JOIN LATERAL (
		SELECT :record, e.result FROM :schema.event e
		WHERE e.namespace = g.namespace AND e.key = coalesce(
			-- include met_key.sql
			g.key)
		LIMIT 1) e
	WHERE (SELECT count(*) FROM inserted) < :size::bigint AND (NOT g.is_delivery OR e."expiresAt" <= :now)
	-- end if
),
-- if findsSame
	-- include same_content.sql
-- end if
tallied AS (
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	-- if isOne
	SELECT g.namespace, :today, coalesce('met_' || c.state, :count::text), 1
	FROM given g LEFT JOIN counted c ON true
	WHERE c.key IS NOT NULL OR EXISTS (SELECT FROM inserted)
	-- end if
	-- if isMany
	SELECT namespace, :today, :count::text, count(*) FROM inserted GROUP BY namespace
	UNION ALL
	SELECT namespace, :today, 'met_' || state, count(*) FROM counted GROUP BY namespace, state
	-- end if
)
SELECT :now AS now, (SELECT count(*) FROM inserted) AS inserted,
	-- if findsSame
	(SELECT json_agg(json_build_array(index, key)) FROM same) AS same,
	-- end if
	-- if isMany
	CASE WHEN (SELECT count(*) FROM inserted) + (SELECT count(*) FROM met) < :size::bigint
		THEN (SELECT json_agg(json_build_array(namespace, key)) FROM inserted) END AS "insertedAddresses",
	-- end if
	-- As one column: in most calls nothing is met, and a description of all columns would be sent and read for nothing.
	row_to_json(met) AS met
FROM (SELECT) one LEFT JOIN met ON true
