-- Ends events with a result: the rules of CompleteCommand in ledger/Store.ts.
--
-- Params   commands: a list of CompleteCommand
-- Returns  a list of WriteReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.complete_events(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now        timestamptz := :schema.clock();
	c          record;
	e          :schema.event;
	held       record;
	status     text;
	unfinished jsonb;
	replies    jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names      text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, by text, result text, "externalId" text, reason text,
			"inState" text)) WITH ORDINALITY AS t (
			namespace, key, token, actor, result, external_id, reason, in_state, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		IF e.state = 'done' AND (c.actor IS NOT NULL OR e.token = c.token) THEN
			replies[c.position] := jsonb_strip_nulls(jsonb_build_object(
				'status', 'repeated', 'event', :schema.event_json(e), 'result', (
					SELECT v.result FROM :schema.event v WHERE v.namespace = c.namespace AND v.key = c.key)));
			CONTINUE;
		END IF;
		IF c.actor IS NULL THEN
			SELECT * INTO held FROM :schema.hold(e, c.token, now);
			e := held.e;
			status := held.status;
			unfinished := (SELECT jsonb_agg(s.name ORDER BY s.id) FROM :schema.step s
				WHERE s.event_id = e.id AND s.state = 'started');
			IF status = 'ok' AND unfinished IS NOT NULL THEN status := 'unfinished'; END IF;
		ELSE
			status := :schema.may_give_up(e, NULL, c.actor, c.in_state);
		END IF;
		IF status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e), 'steps', unfinished);
			CONTINUE;
		END IF;

		e.state := 'done';
		e.done_at := now;
		e.expires_at := now + :schema.span(e.retention_ms);
		e.due_at := NULL;
		e.lease_until := NULL;
		e.reason := NULL;
		e.external_id := coalesce(c.external_id, e.external_id);
		e.history := :schema.remember(e, 'completed', now, by => c.actor, reason => c.reason);
		PERFORM :schema.save_event(e);
		UPDATE :schema.event v SET result = c.result, input = CASE WHEN v.keep_input THEN v.input END
		WHERE v.namespace = c.namespace AND v.key = c.key;
		names := names || c.namespace;
		IF e.attempt > 1 THEN
			INSERT INTO :schema.tally_new (namespace, day, kind, count)
			SELECT e.namespace, (now AT TIME ZONE 'UTC')::date, t.kind, t.count
			FROM (VALUES ('rescued', 1), ('rescue_seconds', 1 + floor(date_part('epoch', now - e.created_at))::bigint)) t (kind, count);
		END IF;
		replies[c.position] := jsonb_build_object('status', 'ok', 'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('completed'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(replies);
END
$$;
