-- Asks for approvals: the rules of ApprovalCommand in ledger/Store.ts.
--
-- Params   commands: a list of ApprovalCommand
-- Returns  a list of ApprovalReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.request_approvals(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	a       :schema.approval;
	status  text;
	is_new  boolean;
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, id text, gate text, token text, fingerprint text, content text, required integer,
			"expiresIn" bigint)) WITH ORDINALITY AS t (
			namespace, key, id, gate, token, fingerprint, content, required, expires_in, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(c.namespace, c.key, now);
		status := CASE
			WHEN e.id IS NULL THEN 'missing'
			WHEN c.token IS NULL THEN 'ok'
			WHEN e.token IS DISTINCT FROM c.token THEN 'stale'
			WHEN e.state IN ('processing', 'waiting') THEN 'ok'
			ELSE 'closed' END;
		IF status <> 'ok' THEN
			replies[c.position] := jsonb_build_object('status', status, 'event', :schema.event_json(e));
			CONTINUE;
		END IF;

		e := :schema.expire_gates(e, now);
		SELECT * INTO a FROM :schema.approval x WHERE x.event_id = e.id AND x.gate = c.gate;
		is_new := coalesce(a.id = c.id OR a.fingerprint <> c.fingerprint OR a.state = 'expired', true);
		IF is_new AND a.id IS DISTINCT FROM c.id THEN
			INSERT INTO :schema.approval AS x
				(event_id, gate, id, state, fingerprint, content, required, requested_at, expires_at)
			VALUES (e.id, c.gate, c.id, 'pending', c.fingerprint, c.content, c.required, now, now + :schema.span(c.expires_in))
			ON CONFLICT (event_id, gate) DO UPDATE SET
				id = excluded.id, state = excluded.state, fingerprint = excluded.fingerprint, content = excluded.content,
				required = excluded.required, votes = '[]', requested_at = excluded.requested_at,
				expires_at = excluded.expires_at, decided_at = NULL, decided_by = NULL, comment = NULL,
				previous_fingerprint = x.fingerprint, previous_state = x.state
			RETURNING * INTO a;
			e.history := :schema.remember(e, 'approval_requested', now, gate => c.gate);
			PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY['approval_requested']);
		END IF;
		IF c.token IS NOT NULL AND a.state = 'pending' THEN
			e.state := 'waiting';
			e.lease_until := NULL;
			e.due_at := :schema.next_expiry(e.id, now);
		END IF;
		PERFORM :schema.save_event(e);
		replies[c.position] := jsonb_build_object(
			'status', 'ok', 'isNew', is_new, 'approval', :schema.approval_json(a, now), 'event', :schema.event_json(e));
	END LOOP;
	RETURN to_jsonb(replies);
END
$$;
