-- Records events as done that were handled elsewhere: see ImportCommand in ledger/Store.ts.
--
-- Params   commands: a list of ImportCommand
-- Returns  a list of ImportReply, in the order of the commands
CREATE OR REPLACE FUNCTION :schema.import_records(commands jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	made    boolean;
	names   text[] := '{}';
	replies jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(commands)]);
BEGIN
	FOR c IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(commands) AS (
			namespace text, key text, fingerprint text, result text, "externalId" text, "doneAt" double precision,
			retention bigint)) WITH ORDINALITY AS t (
			namespace, key, fingerprint, result, external_id, done_at, retention, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		PERFORM :schema.forget_if_expired(c.namespace, c.key, now);
		INSERT INTO :schema.event (
			namespace, key, fingerprint, state, attempt, claimed_at, lease_ms, retention_ms, max_attempts, last_seen_at,
			created_at, done_at, expires_at, external_id, result, history)
		VALUES (
			c.namespace, c.key, c.fingerprint, 'done', 0, now, 0, c.retention, 1, now,
			now, coalesce(:schema.at(c.done_at), now), now + :schema.span(c.retention), c.external_id, c.result,
			jsonb_build_array(jsonb_build_object('at', :schema.ms(now), 'kind', 'imported', 'attempt', 0)))
		ON CONFLICT DO NOTHING;
		made := FOUND;
		IF made THEN names := names || c.namespace; END IF;
		replies[c.position] := jsonb_build_object('status', CASE WHEN made THEN 'imported' ELSE 'exists' END);
	END LOOP;
	PERFORM :schema.count_up(now, names, array_fill('imported'::text, ARRAY[cardinality(names)]));
	RETURN to_jsonb(replies);
END
$$;
