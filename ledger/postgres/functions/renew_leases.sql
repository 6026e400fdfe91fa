-- Renews leases: the rules of RenewCommand in ledger/Store.ts.
--
-- Params   commands: a list of RenewCommand
-- Returns  a list of WriteReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.renew_leases(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	held    record;
	status  text;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, token text, lease bigint)) WITH ORDINALITY AS t (namespace, key, token, lease, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		e.lease_ms := coalesce(c.lease, e.lease_ms);
		SELECT * INTO held FROM :schema.hold(e, c.token, now);
		e := held.e;
		status := held.status;
		IF status = 'ok' THEN PERFORM :schema.save_event(e); END IF;
		replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
	END LOOP;
	RETURN to_jsonb(replies);
END
$$;
