-- Records events as done that were handled elsewhere: see ImportCommand in ledger/Store.ts.
--
-- Params   commands: a list of ImportCommand
-- Returns  a list of ImportReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.import_records(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	names   text[];
	replies jsonb;
BEGIN
	PERFORM :schema.make_room(commands, now);
	WITH given AS (
		SELECT *, row_number() OVER (PARTITION BY namespace, key ORDER BY position) AS turn
		FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, fingerprint text, result text, "externalId" text, "doneAt" double precision,
			retention bigint)) WITH ORDINALITY AS t (
			namespace, key, fingerprint, result, external_id, done_at, retention, position)
	), made AS (
		INSERT INTO :schema.event AS e (
			namespace, key, fingerprint, state, attempt, claimed_at, lease_ms, retention_ms, max_attempts, last_seen_at,
			created_at, done_at, expires_at, external_id, result, history)
		SELECT
			g.namespace, g.key, g.fingerprint, 'done', 0, now, 0, g.retention, 1, now,
			now, coalesce(:schema.at(g.done_at), now), now + :schema.span(g.retention), g.external_id, g.result,
			jsonb_build_array(jsonb_build_object('at', :schema.ms(now), 'kind', 'imported', 'attempt', 0))
		FROM given g WHERE g.turn = 1 ORDER BY g.namespace COLLATE "C", g.key COLLATE "C"
		ON CONFLICT DO NOTHING
		RETURNING e.namespace, e.key
	)
	SELECT
		jsonb_agg(jsonb_build_object('status', CASE WHEN m.key IS NULL THEN 'exists' ELSE 'imported' END) ORDER BY g.position),
		array_agg(m.namespace) FILTER (WHERE m.key IS NOT NULL)
	INTO replies, names
	FROM given g LEFT JOIN made m ON m.namespace = g.namespace AND m.key = g.key AND g.turn = 1;
	IF names IS NOT NULL THEN
		PERFORM :schema.count_up(now, names, array_fill('imported'::text, ARRAY[cardinality(names)]));
	END IF;
	-- Nobody else may be there to do it: imports come before the first claim.
	IF random() < 0.05 THEN PERFORM :schema.fold_tallies(); END IF;
	RETURN replies;
END
$$;

-- Removes what has expired of the given keys. Like forget_events it looks up each by its key.
CREATE OR REPLACE FUNCTION :schema.make_room(addresses jsonb, now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	expired record;
BEGIN
	SELECT array_agg(x.id) AS ids, array_agg(x.namespace) AS namespaces, array_agg(x.key) AS keys INTO expired FROM (
		SELECT e.id, e.namespace, e.key
		FROM (SELECT DISTINCT namespace, key FROM jsonb_to_recordset(addresses) AS t (namespace text, key text)) a
			JOIN :schema.event e ON e.namespace = a.namespace AND e.key = a.key
		WHERE e.expires_at <= now
		ORDER BY e.namespace, e.key FOR UPDATE OF e) x;
	IF expired.ids IS NOT NULL THEN
		PERFORM :schema.forget_events(expired.ids, expired.namespaces, expired.keys, now);
	END IF;
END
$$;
