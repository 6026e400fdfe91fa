-- What several operations need.
--
-- Functions that are one expression are in SQL, which Postgres expands in place. All that contain a query are in PL/pgSQL, which
-- plans it once per connection; a SQL function would be planned anew for every call.
--
-- Whatever is called from outside runs without sequential scans: the planner would read a small table whole, and a connection
-- would keep to that plan when the table has grown. Joins that would do the same are off where there are any. And no plan is
-- compiled: that takes longer than what it speeds up. What goes by keys has one plan from the start (plan_cache_mode): otherwise
-- the first five calls on every connection would each make one of their own, which takes longer than the call.

-- Milliseconds since 1970. (STABLE and not IMMUTABLE, as date_part is declared: otherwise it would not be inlined.)
CREATE OR REPLACE FUNCTION :schema.ms(at timestamptz) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT round(date_part('epoch', at) * 1000)::bigint $$;

CREATE OR REPLACE FUNCTION :schema.at(ms double precision) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT to_timestamp(ms / 1000) $$;

CREATE OR REPLACE FUNCTION :schema.span(ms bigint) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ms * interval '1 millisecond' $$;

-- The time now. Whole milliseconds, so that what is stored is what is reported.
CREATE OR REPLACE FUNCTION :schema.clock() RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;

-- `due_at` of what is never due by itself.
CREATE OR REPLACE FUNCTION :schema.never() RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT timestamptz '9999-12-31 23:59:59+00' $$;

-- An event as its readers see it: without its token and claimant, and with those values that the caller has read.
CREATE OR REPLACE FUNCTION :schema.event_json(e :schema.event) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object(
		'namespace', e.namespace, 'key', e.key, 'state', e.state, 'attempt', e.attempt,
		'maxAttempts', e.max_attempts, 'fingerprint', e.fingerprint, 'executionId', e.execution_id,
		'workflowId', e.workflow_id, 'createdAt', :schema.ms(e.created_at), 'claimedAt', :schema.ms(e.claimed_at),
		'leaseUntil', :schema.ms(e.lease_until), 'dueAt', :schema.ms(e.due_at), 'doneAt', :schema.ms(e.done_at),
		'expiresAt', :schema.ms(e.expires_at), 'duplicates', e.duplicates, 'lastSeenAt', :schema.ms(e.last_seen_at),
		'reason', e.reason, 'externalId', e.external_id, 'input', e.input, 'result', e.result))
$$;

CREATE OR REPLACE FUNCTION :schema.step_json(s :schema.step) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object(
		'name', s.name, 'state', s.state, 'attempt', s.attempt, 'tries', s.tries, 'executionId', s.execution_id,
		'fingerprint', s.fingerprint, 'startedAt', :schema.ms(s.started_at), 'finishedAt', :schema.ms(s.finished_at),
		'externalId', s.external_id, 'output', s.output, 'undo', s.undo, 'error', s.error))
$$;

-- The steps of an event in the order of their first start; null if there are none.
CREATE OR REPLACE FUNCTION :schema.steps_json(event_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (
		SELECT jsonb_agg(:schema.step_json(s) ORDER BY s.id) FROM :schema.step s WHERE s.event_id = $1
	);
END
$$;

-- A gate at the time `now`: pending ones past their time are expired, whether or not that is recorded yet.
CREATE OR REPLACE FUNCTION :schema.approval_json(a :schema.approval, now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object(
		'id', a.id, 'gate', a.gate, 'fingerprint', a.fingerprint, 'content', a.content, 'required', a.required,
		'state', CASE WHEN a.state = 'pending' AND a.expires_at <= now THEN 'expired' ELSE a.state END,
		'requestedAt', :schema.ms(a.requested_at), 'expiresAt', :schema.ms(a.expires_at),
		'decidedAt', :schema.ms(a.decided_at), 'decidedBy', a.decided_by, 'comment', a.comment,
		'previousFingerprint', a.previous_fingerprint, 'previousState', a.previous_state))
		|| jsonb_build_object('votes', (SELECT coalesce(jsonb_agg(vote - 'id'), '[]') FROM jsonb_array_elements(a.votes) vote))
$$;

CREATE OR REPLACE FUNCTION :schema.approvals_json(event_id bigint, now timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (
		SELECT jsonb_agg(:schema.approval_json(a, now) ORDER BY a.requested_at, a.gate)
		FROM :schema.approval a WHERE a.event_id = $1
	);
END
$$;

-- The history of an event as it is now. Rows that nothing has happened to since they were made have it in their columns.
CREATE OR REPLACE FUNCTION :schema.past(e :schema.event) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT coalesce(e.history, jsonb_build_array(jsonb_build_object(
		'at', :schema.ms(e.created_at), 'kind', 'new', 'attempt', e.attempt, 'executionId', e.execution_id)))
$$;

-- That history with one more entry; the newest 100 stay.
CREATE OR REPLACE FUNCTION :schema.remember(
	e :schema.event, kind text, now timestamptz,
	step text DEFAULT NULL, gate text DEFAULT NULL, by text DEFAULT NULL, reason text DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
	past jsonb := :schema.past(e);
BEGIN
	IF jsonb_array_length(past) >= 100 THEN past := past - 0; END IF;
	RETURN past || jsonb_strip_nulls(jsonb_build_object(
		'at', :schema.ms(now), 'kind', kind, 'attempt', e.attempt, 'executionId', e.execution_id,
		'step', step, 'gate', gate, 'by', by, 'reason', reason));
END
$$;

-- A live event, locked, without its values, which may be large; expired ones do not exist. All null if there is none.
CREATE OR REPLACE FUNCTION :schema.find_event(namespace text, key text, now timestamptz) RETURNS :schema.event
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	found :schema.event;
BEGIN
	SELECT e.id, e.namespace, e.key, e.fingerprint, e.state, e.due_at, e.reason, e.attempt, e.token, e.claimant, e.execution_id,
		e.workflow_id, e.outcome, e.claimed_at, e.lease_until, e.lease_ms, e.retention_ms, e.max_attempts, e.attempts_from,
		e.keep_input, e.duplicates, e.last_seen_at, e.created_at, e.done_at, e.expires_at, e.external_id,
		NULL, NULL, e.history
	INTO found
	FROM :schema.event e
	WHERE e.namespace = $1 AND e.key = $2 AND (e.expires_at IS NULL OR e.expires_at > now)
	FOR UPDATE;
	RETURN found;
END
$$;

-- Writes a locked event back, but for its values.
CREATE OR REPLACE FUNCTION :schema.save_event(e :schema.event) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	UPDATE :schema.event SET
		fingerprint = e.fingerprint, state = e.state, due_at = e.due_at, reason = e.reason, attempt = e.attempt,
		token = e.token, claimant = e.claimant, execution_id = e.execution_id, workflow_id = e.workflow_id,
		outcome = e.outcome, claimed_at = e.claimed_at, lease_until = e.lease_until, lease_ms = e.lease_ms,
		retention_ms = e.retention_ms, max_attempts = e.max_attempts, attempts_from = e.attempts_from,
		keep_input = e.keep_input, duplicates = e.duplicates, last_seen_at = e.last_seen_at, done_at = e.done_at,
		expires_at = e.expires_at, external_id = e.external_id, history = e.history
	WHERE namespace = e.namespace AND key = e.key;
END
$$;

-- Counts what happened: two lists of the same length.
CREATE OR REPLACE FUNCTION :schema.count_up(now timestamptz, namespaces text[], kinds text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	SELECT namespace, (now AT TIME ZONE 'UTC')::date, kind, count(*)
	FROM unnest(namespaces, kinds) AS u (namespace, kind)
	GROUP BY namespace, kind;
END
$$;

-- Removes events and all that belongs to them. A plan that was made while the tables were small must not read them whole when they
-- are not: each is looked up by its key.
CREATE OR REPLACE FUNCTION :schema.forget_events(ids bigint[], namespaces text[], keys text[], now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	DELETE FROM :schema.step WHERE event_id = ANY (ids);
	DELETE FROM :schema.approval WHERE event_id = ANY (ids);
	DELETE FROM :schema.event e USING unnest(namespaces, keys) AS u (namespace, key) WHERE e.namespace = u.namespace AND e.key = u.key;
	PERFORM :schema.count_up(now, namespaces, array_fill('purged'::text, ARRAY[cardinality(ids)]));
END
$$;

-- Makes room for a new event where an expired one is in the way. (Looked up by its key alone, and only then judged, so that no
-- plan can prefer the index of expired events.)
CREATE OR REPLACE FUNCTION :schema.forget_if_expired(namespace text, key text, now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	found record;
BEGIN
	SELECT e.id, e.expires_at INTO found FROM :schema.event e WHERE e.namespace = $1 AND e.key = $2 FOR UPDATE;
	IF found.expires_at <= now THEN
		PERFORM :schema.forget_events(ARRAY[found.id], ARRAY[namespace], ARRAY[key], now);
	END IF;
END
$$;

-- The event as it is under a lease that starts now.
CREATE OR REPLACE FUNCTION :schema.leased(e :schema.event, now timestamptz) RETURNS :schema.event
LANGUAGE plpgsql STABLE AS $$
BEGIN
	e.state := 'processing';
	e.lease_until := now + :schema.span(e.lease_ms);
	e.due_at := e.lease_until;
	RETURN e;
END
$$;

-- The event as it is in review.
CREATE OR REPLACE FUNCTION :schema.in_review(e :schema.event, now timestamptz, why text, by text DEFAULT NULL) RETURNS :schema.event
LANGUAGE plpgsql STABLE AS $$
BEGIN
	e.state := 'review';
	e.reason := why;
	e.due_at := now;
	e.lease_until := NULL;
	e.history := :schema.remember(e, 'review', now, by => by, reason => why);
	RETURN e;
END
$$;

CREATE OR REPLACE FUNCTION :schema.attempts_used(e :schema.event, max_attempts integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT e.attempt - e.attempts_from >= max_attempts $$;

CREATE OR REPLACE FUNCTION :schema.has_pending_gate(event_id bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM :schema.approval a WHERE a.event_id = $1 AND a.state = 'pending');
END
$$;

-- When the first of an event's pending gates expires, or never.
CREATE OR REPLACE FUNCTION :schema.next_expiry(event_id bigint, now timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (
		SELECT coalesce(min(a.expires_at), :schema.never()) FROM :schema.approval a
		WHERE a.event_id = $1 AND a.state = 'pending' AND a.expires_at > now
	);
END
$$;

-- Records which gates of a locked event have expired. Returns the event with that in its history; the caller saves it.
CREATE OR REPLACE FUNCTION :schema.expire_gates(e :schema.event, now timestamptz) RETURNS :schema.event
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	expired record;
BEGIN
	FOR expired IN
		UPDATE :schema.approval a SET state = 'expired'
		WHERE a.event_id = e.id AND a.state = 'pending' AND a.expires_at <= now
		RETURNING a.gate
	LOOP
		e.history := :schema.remember(e, 'approval_expired', now, gate => expired.gate);
		PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY['approval_expired']);
	END LOOP;
	RETURN e;
END
$$;

-- Whether a token holds an event: 'ok', 'missing', 'stale' or 'closed'. If it does, the event is returned with a fresh lease,
-- and out of its wait if that is over; the caller saves it.
CREATE OR REPLACE FUNCTION :schema.hold(INOUT e :schema.event, token text, now timestamptz, OUT status text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	status := CASE
		WHEN e.id IS NULL THEN 'missing'
		WHEN e.token IS DISTINCT FROM token THEN 'stale'
		WHEN e.state IN ('processing', 'waiting') THEN 'ok'
		ELSE 'closed' END;
	IF status <> 'ok' THEN RETURN; END IF;
	IF e.state = 'waiting' THEN
		IF EXISTS (SELECT FROM :schema.approval a
			WHERE a.event_id = e.id AND a.state = 'pending' AND (a.expires_at IS NULL OR a.expires_at > now))
		THEN
			status := 'closed';
			RETURN;
		END IF;
		e := :schema.expire_gates(e, now);
		e.history := :schema.remember(e, 'continued', now);
		PERFORM :schema.count_up(now, ARRAY[e.namespace], ARRAY['continued']);
	END IF;
	e := :schema.leased(e, now);
END
$$;

-- Adds appended counts to their totals. One at a time: who finds another one at it leaves it to that one.
CREATE OR REPLACE FUNCTION :schema.fold_tallies() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	IF NOT pg_try_advisory_xact_lock(hashtext(':schema.fold_tallies')) THEN RETURN; END IF;
	WITH folded AS (
		DELETE FROM :schema.tally_new WHERE ctid = ANY (ARRAY(SELECT ctid FROM :schema.tally_new LIMIT 10000))
		RETURNING namespace, day, kind, count
	)
	INSERT INTO :schema.tally AS t (namespace, day, kind, count)
	SELECT namespace, day, kind, sum(count) FROM folded GROUP BY namespace, day, kind
	ON CONFLICT (namespace, day, kind) DO UPDATE SET count = t.count + excluded.count;
END
$$;
