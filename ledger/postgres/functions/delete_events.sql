-- Forgets events, whatever their state.
--
-- Params   addresses: a list of { namespace, key }
-- Returns  for each whether there was one, in the order of the addresses
CREATE OR REPLACE FUNCTION :schema.delete_events(addresses jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	a       record;
	e       :schema.event;
	replies boolean[] := array_fill(false, ARRAY[jsonb_array_length(addresses)]);
BEGIN
	FOR a IN
		SELECT * FROM ROWS FROM (jsonb_to_recordset(addresses) AS (namespace text, key text))
			WITH ORDINALITY AS t (namespace, key, position)
		ORDER BY namespace COLLATE "C", key COLLATE "C", position
	LOOP
		e := :schema.find_event(a.namespace, a.key, now);
		CONTINUE WHEN e.id IS NULL;
		PERFORM :schema.forget_events(ARRAY[e.id], ARRAY[e.namespace], ARRAY[e.key], now);
		PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY['deleted']);
		replies[a.position] := true;
	END LOOP;
	RETURN to_jsonb(replies);
END
$$;
