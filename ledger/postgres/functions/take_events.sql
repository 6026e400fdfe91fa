-- Hands out work: see TakeCommand in ledger/Store.ts.
--
-- Params   command: a TakeCommand
-- Returns  a list of StoredDetails, most urgent first
CREATE OR REPLACE FUNCTION :schema.take_events(command jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now        timestamptz := :schema.clock();
	visibility interval := :schema.span((command ->> 'visibility')::bigint);
	found      record;
	e          :schema.event;
	names      text[] := '{}';
	taken      jsonb[] := '{}';
BEGIN
	FOR found IN SELECT * FROM :schema.lock_due(command, now) LOOP
		e := :schema.find_event(found.namespace, found.key, now);
		e.due_at := now + visibility;
		e.history := :schema.remember(e, 'taken', now, by => command ->> 'by');
		PERFORM :schema.save_event(e);
		names := names || e.namespace;
		taken := taken || (SELECT :schema.details_json(v, now) FROM :schema.event v
			WHERE v.namespace = e.namespace AND v.key = e.key);
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('taken'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(taken);
END
$$;

-- The most urgent events that may be taken, locked. Rows that somebody else is just taking (or working on) are passed over, not
-- waited for. Reads what is due in its order, until it has found enough: see list_events for the settings.
CREATE OR REPLACE FUNCTION :schema.lock_due(command jsonb, now timestamptz) RETURNS TABLE (namespace text, key text)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET enable_sort = off SET enable_bitmapscan = off
SET plan_cache_mode = force_custom_plan SET jit = off AS $$
DECLARE
	c record;
BEGIN
	SELECT * INTO c FROM jsonb_to_record(command) AS t (
		kinds jsonb, namespace text, "limit" integer, "minAge" bigint, "minAttempts" integer, backoff bigint, "maxBackoff" bigint);
	RETURN QUERY
		SELECT x.namespace::text, x.key::text
		FROM (SELECT CASE kind WHEN 'stuck' THEN 'processing' WHEN 'expired_gate' THEN 'waiting' ELSE kind END
			FROM jsonb_array_elements_text(c.kinds) kind) AS k (state)
		CROSS JOIN LATERAL (
			SELECT v.namespace, v.key, v.due_at FROM :schema.event v
			WHERE v.state = k.state AND v.state <> 'done' AND v.due_at <= now
				AND (c.namespace IS NULL OR v.namespace = c.namespace)
				AND (c."minAge" = 0 OR v.created_at <= now - :schema.span(c."minAge"))
				AND v.attempt >= c."minAttempts"
				AND v.due_at + :schema.backoff(v.state, v.attempt - v.attempts_from, c.backoff, c."maxBackoff") <= now
			ORDER BY v.due_at LIMIT c."limit" FOR UPDATE SKIP LOCKED) x
		ORDER BY x.due_at, x.namespace, x.key LIMIT c."limit";
END
$$;

-- How much longer than until it is due an event is left alone after so many attempts.
CREATE OR REPLACE FUNCTION :schema.backoff(state text, used integer, first bigint, most bigint) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT :schema.span(CASE
		WHEN state NOT IN ('processing', 'failed') OR used < 1 THEN 0
		ELSE least(most, first << least(used - 1, 20)) END)
$$;
