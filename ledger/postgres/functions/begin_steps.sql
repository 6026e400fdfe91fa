-- Begins steps: the rules of BeginCommand in ledger/Store.ts, by number.
--
-- Params   commands: a list of BeginCommand, each with a `call` that stays the same when it is sent again after a lost answer
-- Returns  a list of BeginReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.begin_steps(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	held    record;
	s       :schema.step;
	status  text;
	outcome text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names   text[] := '{}';
	kinds   text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, step text, claimant text, "executionId" text, "whenInDoubt" text,
			"repeatWithin" bigint, fingerprint text, call text)) WITH ORDINALITY AS t (
			namespace, key, token, step, claimant, execution_id, when_in_doubt, repeat_within, fingerprint, call, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		SELECT * INTO held FROM :schema.hold(e, c.token, now);
		e := held.e;
		status := held.status;
		IF status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
			CONTINUE;
		END IF;

		SELECT * INTO s FROM :schema.step x WHERE x.event_id = e.id AND x.name = c.step;
		IF s.call = c.call THEN
			replies[c.position] := jsonb_build_object(
				'status', 'ok', 'outcome', 'run', 'step', :schema.step_json(s), 'event', :schema.event_json(e));
			CONTINUE;
		END IF;
		outcome := CASE
			WHEN s.name IS NULL OR s.state IN ('failed', 'undone') THEN 'run'                    -- 1
			WHEN s.fingerprint <> c.fingerprint THEN 'conflict'                                  -- 2
			WHEN s.state = 'done' THEN 'done'                                                    -- 3
			WHEN s.attempt = e.attempt AND s.claimant IS DISTINCT FROM c.claimant THEN 'in_progress' -- 4
			WHEN c.when_in_doubt = 'repeat'                                                      -- 5
				AND (c.repeat_within IS NULL OR now <= s.started_at + :schema.span(c.repeat_within)) THEN 'run'
			ELSE 'in_doubt' END;                                                                 -- 6

		IF outcome = 'run' THEN
			INSERT INTO :schema.step AS x
				(event_id, name, state, attempt, tries, execution_id, claimant, call, fingerprint, started_at)
			VALUES (e.id, c.step, 'started', e.attempt, 1, c.execution_id, c.claimant, c.call, c.fingerprint, now)
			ON CONFLICT (event_id, name) DO UPDATE SET
				state = 'started', attempt = excluded.attempt, tries = x.tries + 1, execution_id = excluded.execution_id,
				claimant = excluded.claimant, call = excluded.call, fingerprint = coalesce(excluded.fingerprint, x.fingerprint),
				finished_at = NULL, external_id = NULL, output = NULL, undo = NULL, error = NULL,
				undo_until = NULL, undo_call = NULL, undo_attempt = NULL
			RETURNING * INTO s;
			e.history := :schema.remember(e, 'step_started', now, step => c.step);
			names := names || c.namespace;
			kinds := kinds || 'step_started'::text;
		ELSIF outcome = 'in_doubt' THEN
			e := :schema.in_review(e, now, format(
				'Step ''%s'' was started by attempt %s of execution %s and not finished', s.name, s.attempt, s.execution_id));
			names := names || c.namespace;
			kinds := kinds || 'review'::text;
		END IF;
		PERFORM :schema.save_event(e);
		replies[c.position] := jsonb_build_object(
			'status', 'ok', 'outcome', outcome, 'step', :schema.step_json(s), 'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, kinds);
	RETURN to_jsonb(replies);
END
$$;
