-- Records one person's decision: the rules of DecisionCommand in ledger/Store.ts.
--
-- Params   command: a DecisionCommand
-- Returns  a DecisionReply
CREATE OR REPLACE FUNCTION :schema.decide_approval(command jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now     timestamptz := :schema.clock();
	c       record;
	e       :schema.event;
	a       :schema.approval;
	outcome text;
	vote    jsonb;
	kind    text;
BEGIN
	SELECT t.*, t.by AS actor INTO c FROM jsonb_to_record(command) AS t (
		namespace text, key text, gate text, "approvalId" text, "voteId" text, decision text, by text, comment text);
	e := :schema.find_event(c.namespace, c.key, now);
	IF e.id IS NOT NULL THEN
		e := :schema.expire_gates(e, now);
		SELECT * INTO a FROM :schema.approval x WHERE x.event_id = e.id AND x.gate = c.gate;
	END IF;
	IF a.id IS NULL THEN RETURN jsonb_build_object('outcome', 'unknown'); END IF;

	outcome := CASE
		WHEN a.id <> c."approvalId" THEN 'superseded'
		WHEN a.votes @> jsonb_build_array(jsonb_build_object('id', c."voteId"))
			THEN CASE WHEN a.state = 'pending' OR a.votes -> -1 ->> 'id' <> c."voteId" THEN 'voted' ELSE 'decided' END
		WHEN a.state = 'expired' THEN 'expired'
		WHEN a.state <> 'pending' THEN 'already_decided'
		WHEN a.votes @> jsonb_build_array(jsonb_build_object('by', c.actor, 'decision', c.decision)) THEN 'voted' END;

	IF outcome IS NULL THEN
		vote := jsonb_strip_nulls(jsonb_build_object(
			'id', c."voteId", 'by', c.actor, 'decision', c.decision, 'at', :schema.ms(now), 'comment', c.comment));
		a.votes := a.votes || vote;
		outcome := CASE WHEN c.decision = 'rejected' OR a.required <= (
			SELECT count(DISTINCT v ->> 'by') FROM jsonb_array_elements(a.votes) v WHERE v ->> 'decision' = 'approved')
			THEN 'decided' ELSE 'voted' END;
		IF outcome = 'decided' THEN
			a.state := c.decision;
			a.decided_at := now;
			a.decided_by := c.actor;
			a.comment := c.comment;
		END IF;
		UPDATE :schema.approval x SET votes = a.votes, state = a.state, decided_at = a.decided_at, decided_by = a.decided_by,
			comment = a.comment
		WHERE x.event_id = a.event_id AND x.gate = a.gate;
		kind := CASE WHEN outcome = 'decided' THEN c.decision ELSE 'vote' END;
		e.history := :schema.remember(e, kind, now, gate => c.gate, by => c.actor, reason => c.comment);
		PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY[kind]);
		IF outcome = 'decided' AND e.state = 'waiting' THEN
			IF :schema.has_pending_gate(e.id) THEN
				e.due_at := :schema.next_expiry(e.id, now);
			ELSE
				e := :schema.leased(e, now);
			END IF;
		END IF;
	END IF;
	PERFORM :schema.save_event(e);
	RETURN jsonb_build_object('outcome', outcome, 'approval', :schema.approval_json(a, now));
END
$$;
