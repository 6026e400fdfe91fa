-- Notes in the history what became of a request: the rules of NoteCommand in ledger/Store.ts.
--
-- Params   command: a NoteCommand
-- Returns  a NoteReply
CREATE OR REPLACE FUNCTION :schema.note_approval(command jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now   timestamptz := :schema.clock();
	c     record;
	e     :schema.event;
	asked bigint;
	same  bigint;
BEGIN
	SELECT t.*, t.by AS actor INTO c FROM jsonb_to_record(command) AS t (
		namespace text, key text, gate text, "approvalId" text, kind text, by text, reason text, "limit" integer);
	e := :schema.find_event(c.namespace, c.key, now);
	IF NOT EXISTS (SELECT FROM :schema.approval a WHERE a.event_id = e.id AND a.gate = c.gate AND a.id = c."approvalId") THEN
		RETURN jsonb_build_object('noted', false);
	END IF;

	SELECT coalesce(max(position), 0) INTO asked FROM jsonb_array_elements(:schema.past(e)) WITH ORDINALITY AS h (entry, position)
	WHERE entry ->> 'kind' = 'approval_requested' AND entry ->> 'gate' = c.gate;
	SELECT count(*) INTO same FROM jsonb_array_elements(:schema.past(e)) WITH ORDINALITY AS h (entry, position)
	WHERE position > asked AND entry ->> 'kind' = c.kind AND entry ->> 'gate' = c.gate AND entry ->> 'by' = c.actor;
	IF same >= c."limit" THEN RETURN jsonb_build_object('noted', false); END IF;

	e.history := :schema.remember(e, c.kind, now, gate => c.gate, by => c.actor, reason => c.reason);
	PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY[c.kind]);
	PERFORM :schema.save_event(e);
	RETURN jsonb_build_object('noted', true);
END
$$;
