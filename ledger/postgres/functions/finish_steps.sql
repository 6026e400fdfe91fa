-- Records how steps ended: the rules of FinishCommand in ledger/Store.ts.
--
-- Params   commands: a list of FinishCommand
-- Returns  a list of FinishReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.finish_steps(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	held    record;
	s       :schema.step;
	status  text;
	kind    text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names   text[] := '{}';
	kinds   text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, step text, state text, output text, "externalId" text, undo text,
			error text)) WITH ORDINALITY AS t (
			namespace, key, token, step, state, output, external_id, undo, error, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		SELECT * INTO s FROM :schema.step x WHERE x.event_id = e.id AND x.name = c.step;
		IF e.token = c.token AND s.state = 'done' THEN
			replies[c.position] := jsonb_build_object(
				'status', 'repeated', 'step', :schema.step_json(s), 'event', :schema.event_json(e));
			CONTINUE;
		END IF;
		SELECT * INTO held FROM :schema.hold(e, c.token, now);
		e := held.e;
		status := held.status;
		IF status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
			CONTINUE;
		END IF;

		INSERT INTO :schema.step AS x
			(event_id, name, state, attempt, tries, execution_id, started_at, finished_at, external_id, output, undo, error)
		VALUES (e.id, c.step, c.state, e.attempt, 1, e.execution_id, now, now, c.external_id, c.output, c.undo, c.error)
		ON CONFLICT (event_id, name) DO UPDATE SET
			state = excluded.state, finished_at = excluded.finished_at, external_id = excluded.external_id,
			output = excluded.output, undo = excluded.undo, error = excluded.error, undo_until = NULL,
			undo_call = NULL, undo_attempt = NULL
		RETURNING * INTO s;
		kind := 'step_' || c.state;
		e.history := :schema.remember(e, kind, now, step => c.step, reason => c.error);
		PERFORM :schema.save_event(e);
		names := names || c.namespace;
		kinds := kinds || kind;
		replies[c.position] := jsonb_build_object(
			'status', 'ok', 'step', :schema.step_json(s), 'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, kinds);
	RETURN to_jsonb(replies);
END
$$;
