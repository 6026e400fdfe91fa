-- Gives claims back: the rules of ReleaseCommand in ledger/Store.ts.
--
-- Params   commands: a list of ReleaseCommand
-- Returns  a list of WriteReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.release_events(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	status  text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
	names   text[] := '{}';
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, by text, reason text, "inState" text)) WITH ORDINALITY AS t (
			namespace, key, token, actor, reason, in_state, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		status := :schema.may_give_up(e, c.token, c.actor, c.in_state);
		IF status = 'ok' THEN
			e.state := 'failed';
			e.reason := coalesce(c.reason, 'Released');
			e.due_at := now;
			e.lease_until := NULL;
			e.done_at := NULL;
			e.expires_at := NULL;
			e.attempts_from := e.attempt;
			e.history := :schema.remember(e, 'released', now, by => c.actor, reason => c.reason);
			PERFORM :schema.save_event(e);
			names := names || c.namespace;
		END IF;
		replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('released'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(replies);
END
$$;
