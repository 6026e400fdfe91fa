-- The commands of a claim as rows. They come by columns: as arrays what each has of its own, which is nearly all that there is to read,
-- and as JSON what else is not the same for all. What is, is sent once, in `common`: reading it a thousand times would cost more than
-- storing it. A column that is missing is empty. The columns go side by side through the list of a SELECT, and not through ROWS FROM, which
-- would first write each of them to a store of its own.
CREATE OR REPLACE FUNCTION :schema.claim_commands(
	keys text[], tokens text[], claimants text[], fingerprints text[], inputs text[], columns jsonb, common jsonb) RETURNS TABLE (
	namespace text, key text, token text, claimant text, held text, execution_id text, workflow_id text, fingerprint text,
	lease bigint, retention bigint, max_attempts integer, on_stopped text, input text, keep_input boolean, object text,
	version double precision, find_same_content boolean, index integer)
LANGUAGE sql STABLE AS $$
	SELECT
		coalesce(c.namespace, a.namespace), c.key, c.token, c.claimant, coalesce(c.held, a.held),
		coalesce(c."executionId", a."executionId"), coalesce(c."workflowId", a."workflowId"), c.fingerprint,
		coalesce(c.lease::bigint, a.lease), coalesce(c.retention::bigint, a.retention),
		coalesce(c."maxAttempts"::integer, a."maxAttempts"), coalesce(c."onStopped", a."onStopped"), c.input,
		coalesce(c."keepInput"::boolean, a."keepInput", false), coalesce(c.object, a.object),
		coalesce(c.version::double precision, a.version), coalesce(c."findSameContent"::boolean, a."findSameContent"),
		c.index
	FROM jsonb_to_record(common) AS a (
			namespace text, held text, "executionId" text, "workflowId" text, lease bigint, retention bigint, "maxAttempts" integer,
			"onStopped" text, "keepInput" boolean, object text, version double precision, "findSameContent" boolean),
		(SELECT
			unnest(keys) AS key, unnest(tokens) AS token, unnest(claimants) AS claimant, unnest(fingerprints) AS fingerprint,
			unnest(inputs) AS input, jsonb_array_elements_text(columns -> 'namespace') AS namespace,
			jsonb_array_elements_text(columns -> 'held') AS held, jsonb_array_elements_text(columns -> 'executionId') AS "executionId",
			jsonb_array_elements_text(columns -> 'workflowId') AS "workflowId", jsonb_array_elements_text(columns -> 'lease') AS lease,
			jsonb_array_elements_text(columns -> 'retention') AS retention,
			jsonb_array_elements_text(columns -> 'maxAttempts') AS "maxAttempts",
			jsonb_array_elements_text(columns -> 'onStopped') AS "onStopped",
			jsonb_array_elements_text(columns -> 'keepInput') AS "keepInput", jsonb_array_elements_text(columns -> 'object') AS object,
			jsonb_array_elements_text(columns -> 'version') AS version,
			jsonb_array_elements_text(columns -> 'findSameContent') AS "findSameContent",
			generate_series(0, cardinality(keys) - 1) AS index) c
$$;

-- What commands write if their events are new, in the order of the keys, so that batches which overlap wait for each other and never in
-- a circle. Without those that have an `object`: whether they may write is up to its mark.
CREATE OR REPLACE FUNCTION :schema.new_events(
	keys text[], tokens text[], claimants text[], fingerprints text[], inputs text[], columns jsonb, common jsonb,
	now timestamptz) RETURNS SETOF :schema.event
LANGUAGE sql STABLE AS $$
	SELECT NULL::bigint, n.namespace, n.key, n.fingerprint, 'processing', now + :schema.span(n.lease), NULL, 1, n.token, n.claimant,
		n.execution_id, n.workflow_id, 'new', now, now + :schema.span(n.lease), n.lease, n.retention, n.max_attempts, 0, n.keep_input,
		0::bigint, now, now, NULL::timestamptz, NULL::timestamptz, NULL, n.input, NULL, NULL::jsonb
	FROM :schema.claim_commands(keys, tokens, claimants, fingerprints, inputs, columns, common) n
	WHERE n.object IS NULL
	ORDER BY n.namespace COLLATE "C", n.key COLLATE "C", n.index
$$;

-- Claims events: the rules of ClaimCommand in ledger/Store.ts, by number.
--
-- Params   a list of ClaimCommand, see claim_commands
-- Returns  { now, others: [[index, ClaimReply], …] }; every command that is not among the others is `new`, and of two entries for one
--          command the last holds
--
-- Nearly all claims of a healthy ledger are new. Where no content is known, and so no delivery comes again, all commands are inserted as if
-- they were; should one meet a record all the same, that is taken back (which leaves dead rows to vacuum, at most as many as there are
-- commands). Otherwise they are inserted more slowly, without those that meet a record; these are decided one by one.
CREATE OR REPLACE FUNCTION :schema.claim_events(
	keys text[], tokens text[], claimants text[], fingerprints text[], inputs text[], columns jsonb, common jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now     timestamptz := :schema.clock();
	all_new boolean := NOT (common ? 'object' OR columns ? 'object');
	others  jsonb[] := '{}';
	hashes  bigint[];
	asked   bigint;
	twice   boolean;
	written bigint;
BEGIN
	-- Whether any content may be there twice, by its hash, with one look at the index: after the insertion each would find itself.
	SELECT array_agg(DISTINCT hashtextextended(c.fingerprint, hashtext(c.namespace))), count(*) INTO hashes, asked
	FROM :schema.claim_commands(keys, NULL, NULL, fingerprints, NULL, columns, common) c
	WHERE c.find_same_content;
	twice := cardinality(hashes) < asked OR EXISTS (
		SELECT FROM :schema.event e
		WHERE hashtextextended(e.fingerprint, hashtext(e.namespace)) = ANY (hashes) AND e.fingerprint IS NOT NULL);

	BEGIN
		IF twice THEN RAISE unique_violation; END IF;
		INSERT INTO :schema.event OVERRIDING USER VALUE
		SELECT * FROM :schema.new_events(keys, tokens, claimants, fingerprints, inputs, columns, common, now);
	EXCEPTION WHEN unique_violation THEN
		INSERT INTO :schema.event OVERRIDING USER VALUE
		SELECT * FROM :schema.new_events(keys, tokens, claimants, fingerprints, inputs, columns, common, now)
		ON CONFLICT DO NOTHING;
		GET DIAGNOSTICS written = ROW_COUNT;
		all_new := written = cardinality(keys);
	END;

	IF twice THEN
		others := ARRAY(
			SELECT jsonb_build_array(n.index, :schema.new_like(same.key, now))
			FROM :schema.claim_commands(keys, NULL, NULL, fingerprints, NULL, columns, common) n
				CROSS JOIN LATERAL :schema.same_content(n.namespace, n.key, n.fingerprint, now) AS same (key)
			WHERE n.find_same_content);
	END IF;
	IF NOT all_new THEN
		others := others || :schema.claim_one_by_one(keys, tokens, claimants, fingerprints, inputs, columns, common, now);
	ELSE
		IF random() < 0.001 THEN PERFORM :schema.fold_tallies(); END IF;
		INSERT INTO :schema.tally_new (namespace, day, kind, count)
		SELECT n.namespace, (now AT TIME ZONE 'UTC')::date, 'new', n.count
		FROM (
			SELECT common ->> 'namespace', cardinality(keys) WHERE common ? 'namespace'
			UNION ALL
			SELECT namespace, count(*) FROM jsonb_array_elements_text(columns -> 'namespace') AS t (namespace) GROUP BY 1
		) AS n (namespace, count);
	END IF;
	RETURN jsonb_build_object('now', :schema.ms(now), 'others', to_jsonb(others));
END
$$;

-- Decides about the commands that are left, after those that are new were inserted at the time `now`, and counts all of them.
--
-- Returns  [index, ClaimReply] of each that was left
CREATE OR REPLACE FUNCTION :schema.claim_one_by_one(
	keys text[], tokens text[], claimants text[], fingerprints text[], inputs text[], columns jsonb, common jsonb,
	now timestamptz) RETURNS jsonb[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	c       record;
	e       :schema.event;
	reply   jsonb;
	again   jsonb;
	replies jsonb[] := '{}';
	names   text[] := '{}';
	kinds   text[] := '{}';
BEGIN
	IF random() < 0.001 THEN PERFORM :schema.fold_tallies(); END IF;
	IF common ? 'object' OR columns ? 'object' THEN PERFORM :schema.lock_marks(keys, columns, common, now); END IF;
	FOR c IN
		SELECT n.*, EXISTS (
			SELECT FROM :schema.event v
			WHERE v.namespace = n.namespace AND v.key = n.key AND v.token = n.token AND v.created_at = now) AS is_new
		FROM :schema.claim_commands(keys, tokens, claimants, fingerprints, inputs, columns, common) n
		ORDER BY n.namespace COLLATE "C", n.key COLLATE "C", n.index
	LOOP
		IF c.is_new THEN
			names := names || c.namespace;
			kinds := kinds || 'new'::text;
			CONTINUE;
		END IF;
		e := :schema.find_event(c.namespace, c.key, now);
		IF e.token = c.token THEN
			-- The answer to this very command was lost.                                                            -- 1
			reply := :schema.claim_reply(e, e.outcome, now);
		ELSE
			reply := :schema.claim_found(e, c, now);
			IF reply IS NULL THEN
				-- Nothing is in the way any more, unless somebody else was faster: then it is found there.
				again := :schema.claim_event(
					c.namespace, c.key, c.token, c.claimant, c.held, c.execution_id, c.workflow_id, c.fingerprint, c.lease, c.retention,
					c.max_attempts, c.on_stopped, c.input, c.keep_input, false);
				reply := coalesce(again #> '{others,0,1}', jsonb_build_object('outcome', 'new', 'now', again));
			ELSE
				names := names || c.namespace;
				kinds := kinds || (reply ->> 'outcome');
			END IF;
		END IF;
		IF c.find_same_content AND reply ->> 'outcome' IN ('new', 'retry', 'recovered', 'resumed') THEN
			reply := reply || jsonb_strip_nulls(jsonb_build_object(
				'sameContentAs', (SELECT * FROM :schema.same_content(c.namespace, c.key, c.fingerprint, now))));
		END IF;
		replies := replies || jsonb_build_array(c.index, reply);
	END LOOP;
	PERFORM :schema.count_up(now, names, kinds);
	RETURN replies;
END
$$;

-- Claims one event, as most calls do. A batch of one through claim_events would say the same, at twice the server's time.
--
-- Params   the fields of a ClaimCommand without `object`; not as JSON, which takes longer to read than the row to write
-- Returns  now, if it is `new` and there is nothing else to say; otherwise as claim_events
CREATE OR REPLACE FUNCTION :schema.claim_event(
	namespace text, key text, token text, claimant text, held text, execution_id text, workflow_id text, fingerprint text,
	lease bigint, retention bigint, max_attempts integer, on_stopped text, input text, keep_input boolean,
	find_same_content boolean) RETURNS json
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '10s' SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	now   timestamptz := :schema.clock();
	until timestamptz := now + :schema.span(lease);
	other text;
BEGIN
	INSERT INTO :schema.event (
		namespace, key, fingerprint, state, due_at, attempt, token, claimant, execution_id, workflow_id, outcome, claimed_at,
		lease_until, lease_ms, retention_ms, max_attempts, keep_input, last_seen_at, created_at, input)
	VALUES (
		namespace, key, fingerprint, 'processing', until, 1, token, claimant, execution_id, workflow_id, 'new', now,
		until, lease, retention, max_attempts, coalesce(keep_input, false), now, now, input)
	ON CONFLICT DO NOTHING;
	IF NOT FOUND THEN
		RETURN jsonb_build_object('now', :schema.ms(now), 'others', to_jsonb(:schema.claim_one_by_one(
			ARRAY[key], ARRAY[token], ARRAY[claimant], ARRAY[fingerprint], ARRAY[input], '{}',
			jsonb_strip_nulls(jsonb_build_object(
				'namespace', namespace, 'held', held, 'executionId', execution_id, 'workflowId', workflow_id, 'lease', lease,
				'retention', retention, 'maxAttempts', max_attempts, 'onStopped', on_stopped, 'keepInput', keep_input,
				'findSameContent', find_same_content)),
			now)));
	END IF;
	IF random() < 0.001 THEN PERFORM :schema.fold_tallies(); END IF;
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	VALUES (namespace, (now AT TIME ZONE 'UTC')::date, 'new', 1);
	IF find_same_content THEN
		other := (SELECT * FROM :schema.same_content(namespace, key, fingerprint, now));
	END IF;
	IF other IS NULL THEN RETURN :schema.ms(now)::text; END IF;
	RETURN jsonb_build_object(
		'now', :schema.ms(now), 'others', jsonb_build_array(jsonb_build_array(0, :schema.new_like(other, now))));
END
$$;

-- Locks the marks of all objects of a batch, in their order, so that raising them one by one cannot end in a deadlock.
CREATE OR REPLACE FUNCTION :schema.lock_marks(
	keys text[], columns jsonb, common jsonb, now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	o record;
BEGIN
	FOR o IN
		SELECT DISTINCT c.namespace COLLATE "C" AS namespace, c.object COLLATE "C" AS name
		FROM :schema.claim_commands(keys, NULL, NULL, NULL, NULL, columns, common) c WHERE c.object IS NOT NULL ORDER BY 1, 2
	LOOP
		INSERT INTO :schema.mark AS m (namespace, object, version, expires_at)
		VALUES (o.namespace, o.name, '-Infinity', now)
		ON CONFLICT (namespace, object) DO UPDATE SET version = m.version;
	END LOOP;
END
$$;

-- The key of another event with this fingerprint, if there is one. A set of none or one, because that is what Postgres expands in
-- place. Found by the hash that the index has; IS NOT DISTINCT FROM keeps the planner from looking through the whole namespace.
CREATE OR REPLACE FUNCTION :schema.same_content(namespace text, key text, fingerprint text, now timestamptz) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
	SELECT e.key FROM :schema.event e
	WHERE hashtextextended(e.fingerprint, hashtext(e.namespace)) = hashtextextended($3, hashtext($1))
		AND e.namespace IS NOT DISTINCT FROM $1 AND e.fingerprint = $3 AND e.key <> $2 AND (e.expires_at IS NULL OR e.expires_at > $4)
	LIMIT 1
$$;

-- The reply to a claim that is `new`, with the content of another one.
CREATE OR REPLACE FUNCTION :schema.new_like(other text, now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('outcome', 'new', 'now', :schema.ms(now), 'sameContentAs', other)
$$;

-- Claims one event: `e` is the record that it met, if any, and `c` a row of claim_commands. Returns the reply, or null if there is
-- no record and nothing is against making one.
CREATE OR REPLACE FUNCTION :schema.claim_found(e :schema.event, c record, now timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	outcome text;
	live    boolean;
	mine    boolean;
	stale   boolean := false;
	mark    double precision;
BEGIN
	IF c.object IS NOT NULL THEN
		INSERT INTO :schema.mark AS m (namespace, object, version, expires_at)
		VALUES (c.namespace, c.object, c.version, now + :schema.span(c.retention))
		ON CONFLICT (namespace, object) DO UPDATE SET
			version = CASE WHEN m.expires_at <= now THEN excluded.version ELSE greatest(m.version, excluded.version) END,
			expires_at = greatest(m.expires_at, excluded.expires_at)
		RETURNING m.version INTO mark;
		stale := mark > c.version;
	END IF;

	IF e.id IS NULL THEN
		IF stale THEN RETURN jsonb_build_object('outcome', 'stale', 'now', :schema.ms(now)); END IF;
		PERFORM :schema.forget_if_expired(c.namespace, c.key, now);
		RETURN NULL;
	END IF;

	live := e.state = 'processing' AND e.lease_until > now;
	mine := e.claimant IS NOT DISTINCT FROM c.claimant OR coalesce(e.token = c.held, false);
	outcome := CASE
		WHEN e.fingerprint <> c.fingerprint THEN 'conflict'                           -- 2
		WHEN e.state = 'done' THEN 'duplicate'                                        -- 3
		WHEN e.state IN ('waiting', 'review') THEN e.state
		WHEN live AND NOT mine THEN 'in_progress'                                     -- 4
		WHEN stale THEN 'stale'                                                       -- 5
		WHEN live THEN 'resumed'                                                      -- 6
		WHEN :schema.attempts_used(e, c.max_attempts)                                 -- 7
			OR e.state = 'processing' AND c.on_stopped = 'review' THEN 'review'
		WHEN e.state = 'failed' THEN 'retry'                                          -- 8
		ELSE 'recovered' END;

	IF outcome IN ('retry', 'recovered', 'resumed') THEN
		e.history := :schema.past(e);
		e.attempt := e.attempt + 1;
		e.token := c.token;
		e.claimant := c.claimant;
		e.execution_id := c.execution_id;
		e.workflow_id := c.workflow_id;
		e.outcome := outcome;
		e.claimed_at := now;
		e.lease_ms := c.lease;
		e.retention_ms := c.retention;
		e.max_attempts := c.max_attempts;
		e.keep_input := c.keep_input;
		e.fingerprint := coalesce(c.fingerprint, e.fingerprint);
		e.reason := NULL;
		e.last_seen_at := now;
		e := :schema.leased(e, now);
		e.history := :schema.remember(e, outcome, now);
		IF c.input IS NOT NULL THEN
			UPDATE :schema.event v SET input = c.input WHERE v.namespace = c.namespace AND v.key = c.key;
		END IF;
	ELSE
		e.duplicates := e.duplicates + 1;
		e.last_seen_at := now;
		IF outcome = 'review' AND e.state <> 'review' THEN
			e := :schema.in_review(e, now, CASE
				WHEN NOT :schema.attempts_used(e, c.max_attempts)
					THEN format('Attempt %s of execution %s stopped before it finished', e.attempt, e.execution_id)
				ELSE format('All %s attempts are used up', c.max_attempts) || coalesce('; last: ' || e.reason, '') END);
		ELSIF outcome = 'stale' THEN
			e.state := 'done';
			e.done_at := now;
			e.expires_at := now + :schema.span(e.retention_ms);
			e.due_at := NULL;
			e.lease_until := NULL;
			e.reason := NULL;
			e.history := :schema.remember(e, 'superseded', now);
			UPDATE :schema.event v SET input = NULL WHERE v.namespace = c.namespace AND v.key = c.key AND NOT v.keep_input;
			PERFORM :schema.count_up(now, ARRAY[c.namespace], ARRAY['superseded']);
		END IF;
	END IF;
	PERFORM :schema.save_event(e);
	RETURN :schema.claim_reply(e, outcome, now);
END
$$;

CREATE OR REPLACE FUNCTION :schema.claim_reply(e :schema.event, outcome text, now timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF e.state = 'done' THEN
		e.result := (SELECT v.result FROM :schema.event v WHERE v.namespace = e.namespace AND v.key = e.key);
	END IF;
	RETURN jsonb_build_object('outcome', outcome, 'now', :schema.ms(now), 'event', :schema.event_json(e))
		|| jsonb_strip_nulls(jsonb_build_object('steps', :schema.steps_json(e.id)));
END
$$;
