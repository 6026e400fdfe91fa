-- Gives events up: the rules of FailCommand in ledger/Store.ts.
--
-- Params   commands: a list of FailCommand
-- Returns  a list of WriteReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.fail_events(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	status  text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, by text, "as" text, reason text, "retryAfter" bigint,
			"inState" text)) WITH ORDINALITY AS t (
			namespace, key, token, actor, wanted, reason, retry_after, in_state, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		status := :schema.may_give_up(e, c.token, c.actor, c.in_state);
		IF c.actor IS NOT NULL AND e.state = 'done' THEN status := 'closed'; END IF;
		IF status = 'ok' THEN e := :schema.given_up(e, c.wanted, c.reason, c.retry_after, c.actor, now); END IF;
		replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
	END LOOP;
	RETURN to_jsonb(replies);
END
$$;

-- Whether the holder (by token) or an operator (by name) may fail or release an event.
CREATE OR REPLACE FUNCTION :schema.may_give_up(e :schema.event, token text, by text, in_state text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN e.id IS NULL THEN 'missing'
		WHEN by IS NOT NULL THEN CASE WHEN e.state <> in_state THEN 'closed' ELSE 'ok' END
		WHEN e.token IS DISTINCT FROM token THEN 'stale'
		WHEN e.state IN ('processing', 'waiting') THEN 'ok'
		WHEN e.state IN ('failed', 'review') THEN 'repeated'
		ELSE 'closed' END
$$;

-- Fails an event, saves it and returns it.
CREATE OR REPLACE FUNCTION :schema.given_up(
	e :schema.event, wanted text, reason text, retry_after bigint, by text, now timestamptz) RETURNS :schema.event
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	IF wanted = 'review' THEN
		e := :schema.in_review(e, now, reason, by);
	ELSIF :schema.attempts_used(e, e.max_attempts) THEN
		e := :schema.in_review(e, now, format('All %s attempts are used up; last: %s', e.max_attempts, reason), by);
	ELSE
		e.state := 'failed';
		e.reason := reason;
		e.due_at := now + :schema.span(retry_after);
		e.lease_until := NULL;
		e.history := :schema.remember(e, 'failed', now, by => by, reason => reason);
	END IF;
	PERFORM :schema.save_event(e);
	PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY[e.state]);
	RETURN e;
END
$$;

-- Fails every claim that an execution holds: the rules of FailByExecutionCommand.
--
-- Params   execution: its id; wanted: 'failed' or 'review'; reason
-- Returns  a list of the events, as they are afterwards
CREATE OR REPLACE FUNCTION :schema.fail_by_execution(execution text, wanted text, reason text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now    timestamptz := :schema.clock();
	held   record;
	e      :schema.event;
	events jsonb[] := '{}';
BEGIN
	FOR held IN
		SELECT x.namespace, x.key FROM :schema.event x
		WHERE x.execution_id = execution AND x.state IN ('processing', 'waiting')
		ORDER BY x.namespace, x.key FOR UPDATE
	LOOP
		e := :schema.find_event(held.namespace, held.key, now);
		events := events || :schema.event_json(:schema.given_up(e, wanted, reason, 0, NULL, now));
	END LOOP;
	RETURN to_jsonb(events);
END
$$;
