-- Writes records that still have their revision, and only for these their parts and counts.
--
-- `= ANY (ARRAY[x])` means `= x`. The planner can use it for a look-up in an index and for no other join, so a plan that it makes for an
-- empty table does not read all of the table later. Only for the first column of an index: it would not look up by any other one.
WITH given AS :rows,
swapped AS (
	UPDATE :schema.event e SET
		revision = e.revision + 1, state = g.state, created_at = g.created_at, due_at = g.due_at, expires_at = g.expires_at,
		execution_id = g.execution_id, fingerprint = g.fingerprint, external_id = g.external_id, body = g.body,
		-- if hasAlias
		-- An alias that another record has stays there.
		alias = CASE
			WHEN g.alias IS NULL OR g.alias = e.alias THEN g.alias
			WHEN EXISTS (SELECT FROM :schema.event o WHERE o.namespace = g.namespace AND o.alias = g.alias) THEN e.alias
			ELSE g.alias END,
		-- end if
		-- if hasNoAlias
		alias = NULL,
		-- end if
		input = CASE WHEN g.keeps_input THEN e.input ELSE g.input END,
		result = CASE WHEN g.keeps_result THEN e.result ELSE g.result END,
		history = CASE
			WHEN g.rotate OR e.history IS NULL THEN g.append
			WHEN g.append IS NULL THEN e.history
			ELSE e.history || ',' || g.append END,
		older = CASE WHEN g.rotate THEN e.history ELSE e.older END,
		duplicates = e.duplicates + g.duplicates,
		last_seen_at = coalesce(g.last_seen_at, e.last_seen_at)
	FROM given g
	WHERE e.namespace = ANY (ARRAY[g.namespace]) AND e.key = g.key AND e.revision = g.revision
	RETURNING g.index, e.id, e.namespace, e.key, e.duplicates, e.last_seen_at,
		g.part_name, g.part_text, g.part_external_id, g.more_parts, g.count_kind, g.count_n, g.more_counts
)
-- if hasParts
, written AS (
	INSERT INTO :schema.part (event_id, name, text, external_id, namespace, key)
	SELECT p.id, p.name, p.text, p.external_id, CASE WHEN p.external_id IS NOT NULL THEN p.namespace END,
		CASE WHEN p.external_id IS NOT NULL THEN p.key END
	FROM (
		SELECT id, namespace, key, part_name AS name, part_text AS text, part_external_id AS external_id FROM swapped
		-- if hasMoreParts
		UNION ALL
		SELECT s.id, s.namespace, s.key, m.name, m.text, m."externalId"
		FROM swapped s CROSS JOIN LATERAL json_to_recordset(s.more_parts::json) AS m (name text, text text, "externalId" text)
		WHERE s.more_parts IS NOT NULL
		-- end if
	) p
	WHERE p.name IS NOT NULL
	ON CONFLICT (event_id, name) DO UPDATE SET
		text = excluded.text, external_id = excluded.external_id, namespace = excluded.namespace, key = excluded.key
)
-- end if
-- if hasCounts
, tallied AS (
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	SELECT namespace, :today, kind, sum(n)
	FROM (
		SELECT namespace, count_kind AS kind, count_n AS n FROM swapped
		-- if hasMoreCounts
		UNION ALL
		SELECT s.namespace, m.kind, m.n
		FROM swapped s CROSS JOIN LATERAL json_to_recordset(s.more_counts::json) AS m (kind text, n bigint)
		WHERE s.more_counts IS NOT NULL
		-- end if
	) c
	WHERE kind IS NOT NULL
	GROUP BY namespace, kind
)
-- end if
SELECT :now AS now, s.index, s.duplicates, s.last_seen_at AS "lastSeenAt" FROM (SELECT) one LEFT JOIN swapped s ON true
