-- Compensation: the rules of TakeUndosCommand and UndoneCommand in ledger/Store.ts.

-- Whether the holder or the operator may undo steps of the event. Like hold, which it is for holders.
CREATE OR REPLACE FUNCTION :schema.hold_to_undo(
	INOUT e :schema.event, token text, actor text, now timestamptz, OUT status text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	held record;
BEGIN
	IF actor IS NULL OR e.id IS NULL THEN
		SELECT * INTO held FROM :schema.hold(e, token, now);
		e := held.e;
		status := held.status;
	ELSE
		status := CASE
			WHEN e.state = 'waiting' OR e.state = 'processing' AND e.lease_until > now THEN 'closed'
			ELSE 'ok' END;
	END IF;
END
$$;

-- Params   commands: a list of TakeUndosCommand
-- Returns  a list of TakeUndosReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.take_undos(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	held    record;
	due     record;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names   text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, by text, visibility bigint, call text)) WITH ORDINALITY AS t (
			namespace, key, token, actor, visibility, call, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		SELECT * INTO held FROM :schema.hold_to_undo(e, c.token, c.actor, now);
		e := held.e;
		IF held.status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', held.status, 'event', :schema.event_json(e));
			CONTINUE;
		END IF;
		SELECT jsonb_agg(:schema.step_json(s) ORDER BY s.id) AS steps, bool_or(s.undo_call = c.call) AS is_repetition,
			bool_or(s.undo_until > now AND (c.actor IS NOT NULL OR coalesce(s.undo_attempt, e.attempt) = e.attempt)) AS is_taken
		INTO due FROM :schema.step s WHERE s.event_id = e.id AND s.state = 'done' AND s.undo IS NOT NULL;
		IF due.steps IS NOT NULL AND due.is_repetition IS NOT TRUE AND due.is_taken IS NOT TRUE THEN
			UPDATE :schema.step s SET undo_until = now + :schema.span(c.visibility), undo_call = c.call,
				undo_attempt = CASE WHEN c.actor IS NULL THEN e.attempt END
			WHERE s.event_id = e.id AND s.state = 'done' AND s.undo IS NOT NULL;
			e.history := :schema.remember(e, 'undo_taken', now, by => c.actor);
			names := names || c.namespace;
		ELSIF due.is_repetition IS NOT TRUE THEN
			due.steps := NULL;
		END IF;
		PERFORM :schema.save_event(e);
		replies[c.position] := jsonb_build_object(
			'status', 'ok', 'undos', coalesce(due.steps, '[]'), 'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('undo_taken'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(replies);
END
$$;

-- Params   commands: a list of UndoneCommand
-- Returns  a list of FinishReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.mark_undone(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	held    record;
	s       :schema.step;
	status  text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names   text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, by text, step text, reason text)) WITH ORDINALITY AS t (
			namespace, key, token, actor, step, reason, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		SELECT * INTO held FROM :schema.hold_to_undo(e, c.token, c.actor, now);
		e := held.e;
		IF held.status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', held.status, 'event', :schema.event_json(e));
			CONTINUE;
		END IF;
		SELECT * INTO s FROM :schema.step x WHERE x.event_id = e.id AND x.name = c.step;
		status := CASE s.state WHEN 'done' THEN 'ok' WHEN 'undone' THEN 'repeated' ELSE 'not_done' END;
		IF status = 'ok' THEN
			UPDATE :schema.step x SET state = 'undone', undo_until = NULL, undo_call = NULL, undo_attempt = NULL
			WHERE x.event_id = e.id AND x.name = c.step RETURNING * INTO s;
			e.history := :schema.remember(e, 'step_undone', now, step => c.step, by => c.actor, reason => c.reason);
			names := names || c.namespace;
		END IF;
		PERFORM :schema.save_event(e);
		replies[c.position] := jsonb_build_object(
			'status', status, 'step', CASE WHEN s.name IS NOT NULL THEN :schema.step_json(s) END,
			'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('step_undone'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(replies);
END
$$;
