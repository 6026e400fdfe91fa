-- Reads. None of these changes anything; expired events do not exist.

CREATE OR REPLACE FUNCTION :schema.details_json(e :schema.event, now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object(
		'event', :schema.event_json(e),
		'steps', coalesce(:schema.steps_json(e.id), '[]'),
		'approvals', coalesce(:schema.approvals_json(e.id, now), '[]'))
$$;

-- Params   addresses: a list of { namespace, key }
-- Returns  a list of StoredDetails or null, in the order of the addresses
CREATE OR REPLACE FUNCTION :schema.get_events(addresses jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
	SELECT jsonb_agg(CASE WHEN e.id IS NOT NULL THEN :schema.details_json(e, now) END ORDER BY a.position)
	FROM (SELECT :schema.clock()) AS c (now),
		ROWS FROM (jsonb_to_recordset(addresses) AS (namespace text, key text)) WITH ORDINALITY AS a (namespace, key, position)
		LEFT JOIN :schema.event e ON e.namespace = a.namespace AND e.key = a.key
			AND (e.expires_at IS NULL OR e.expires_at > :schema.clock())
$$;

-- Params   addresses: a list of { namespace, key }
-- Returns  for each a list of history entries, oldest first
CREATE OR REPLACE FUNCTION :schema.event_histories(addresses jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
	SELECT jsonb_agg(CASE WHEN e.id IS NULL THEN '[]' ELSE :schema.past(e) END ORDER BY a.position)
	FROM ROWS FROM (jsonb_to_recordset(addresses) AS (namespace text, key text)) WITH ORDINALITY AS a (namespace, key, position)
		LEFT JOIN :schema.event e ON e.namespace = a.namespace AND e.key = a.key
			AND (e.expires_at IS NULL OR e.expires_at > :schema.clock())
$$;

-- Counts.
--
-- Params   only: a namespace, or null for all; days: how many days back the tallies go, today included
-- Returns  Stats
CREATE OR REPLACE FUNCTION :schema.ledger_stats(only_namespace text, days integer) RETURNS jsonb
LANGUAGE sql STABLE SET enable_seqscan = off SET jit = off AS $$
	WITH tallies AS (
		SELECT namespace, day, kind, sum(count)::bigint AS count
		FROM (SELECT * FROM :schema.tally UNION ALL SELECT * FROM :schema.tally_new) t
		WHERE only_namespace IS NULL OR namespace = only_namespace
		GROUP BY namespace, day, kind
	), open AS (
		SELECT state, count(*) AS count FROM :schema.event
		WHERE state <> 'done' AND (only_namespace IS NULL OR namespace = only_namespace) GROUP BY state
	)
	SELECT jsonb_build_object(
		'events', (
			SELECT jsonb_object_agg(s.state, coalesce(o.count, 0))
			FROM unnest(ARRAY['processing', 'waiting', 'failed', 'review']) AS s (state) LEFT JOIN open o USING (state)
		) || jsonb_build_object('done',
			(SELECT coalesce(sum(CASE kind WHEN 'purged' THEN -count ELSE count END), 0)
				FROM tallies WHERE kind IN ('new', 'imported', 'purged'))
			- (SELECT coalesce(sum(count), 0) FROM open)),
		'tallies', (
			SELECT coalesce(jsonb_agg(jsonb_build_object(
				'namespace', namespace, 'day', to_char(day, 'YYYY-MM-DD'), 'kind', kind, 'count', count)
				ORDER BY namespace, day, kind), '[]')
			FROM tallies WHERE day > (:schema.clock() AT TIME ZONE 'UTC')::date - days))
$$;
