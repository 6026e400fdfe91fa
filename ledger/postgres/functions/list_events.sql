-- Lists events: see ListQuery in ledger/Store.ts.
--
-- Params   query: a ListQuery
-- Returns  a list of event summaries, in the wanted order
--
-- Each order is a statement of its own, because each has an index of its own, and each call gets a plan of its own, because what
-- it asks for differs.
CREATE OR REPLACE FUNCTION :schema.list_events(query jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_custom_plan SET jit = off AS $$
DECLARE
	q      record;
	after  record;
	now    timestamptz := :schema.clock();
	events jsonb;
BEGIN
	SELECT * INTO q FROM jsonb_to_record(query) AS t (
		namespace text, state text, "executionId" text, fingerprint text, "keyPrefix" text, "createdAfter" double precision,
		"createdBefore" double precision, "limit" integer, "order" text);
	SELECT * INTO after FROM jsonb_to_record(coalesce(query -> 'after', '{}')) AS t (time double precision, namespace text, key text);

	IF q."order" <> 'key' THEN RETURN :schema.list_by_time(q, after, now); END IF;
	SELECT jsonb_agg(:schema.event_json(x.event) - '{input,result}'::text[]) INTO events FROM (
		SELECT e AS event FROM :schema.event e
		-- First what the execution has, which is little; a planner that does not know that would look for it in the order of keys.
		WHERE (q."executionId" IS NULL OR e.ctid = ANY (ARRAY(
				SELECT v.ctid FROM :schema.event v WHERE v.execution_id = q."executionId")))
			AND (q.namespace IS NULL OR e.namespace = q.namespace)
			AND (q.fingerprint IS NULL OR e.fingerprint = q.fingerprint
				AND hashtextextended(e.fingerprint, hashtext(e.namespace)) = hashtextextended(q.fingerprint, hashtext(q.namespace)))
			AND (q."keyPrefix" IS NULL OR e.key >= q."keyPrefix" AND e.key <= q."keyPrefix" || repeat(chr(1114111), 512))
			AND (after.key IS NULL OR (e.namespace, e.key) > (after.namespace, after.key))
			AND :schema.is_listed(e, q.state, q."createdAfter", q."createdBefore", now)
		ORDER BY e.namespace, e.key LIMIT q."limit") x;
	RETURN coalesce(events, '[]');
END
$$;

-- The same for the orders that are one of time. Their indexes may be large, and only their order makes a page of them cheap: no
-- sorting of all that matches (what is due or made at the same time is still sorted), and no bitmaps, which have no order.
CREATE OR REPLACE FUNCTION :schema.list_by_time(q record, after record, now timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET enable_sort = off SET enable_bitmapscan = off AS $$
DECLARE
	events jsonb;
BEGIN
	IF q."order" = 'due' THEN
		SELECT jsonb_agg(:schema.event_json(x.event) - '{input,result}'::text[]) INTO events FROM (
			SELECT e AS event FROM :schema.event e
			WHERE e.state = q.state AND e.state <> 'done'
				AND (q.namespace IS NULL OR e.namespace = q.namespace)
				AND (after.key IS NULL OR e.due_at >= :schema.at(after.time)
					AND (e.due_at, e.namespace, e.key) > (:schema.at(after.time), after.namespace, after.key))
				AND :schema.is_listed(e, q.state, q."createdAfter", q."createdBefore", now)
			ORDER BY e.due_at, e.namespace, e.key LIMIT q."limit") x;
	ELSE
		-- A page of each namespace, then the newest of these. There are as many namespaces as workflows: few.
		SELECT jsonb_agg(:schema.event_json(x.event) - '{input,result}'::text[]) INTO events FROM (
			WITH RECURSIVE names AS (
				(SELECT e.namespace FROM :schema.event e WHERE q.namespace IS NULL OR e.namespace = q.namespace
				 ORDER BY e.namespace LIMIT 1)
				UNION ALL
				SELECT (SELECT e.namespace FROM :schema.event e WHERE e.namespace > n.namespace ORDER BY e.namespace LIMIT 1)
				FROM names n WHERE n.namespace IS NOT NULL AND q.namespace IS NULL
			)
			SELECT p.event FROM names n CROSS JOIN LATERAL (
				SELECT e AS event, e.created_at, e.namespace, e.key FROM :schema.event e
				WHERE hashtext(e.namespace) = hashtext(n.namespace) AND e.namespace = n.namespace
					AND (q."createdAfter" IS NULL OR e.created_at > :schema.at(q."createdAfter"))
					AND (q."createdBefore" IS NULL OR e.created_at < :schema.at(q."createdBefore"))
					AND (after.key IS NULL OR e.created_at <= :schema.at(after.time)
						AND (e.created_at, e.namespace, e.key) < (:schema.at(after.time), after.namespace, after.key))
					AND :schema.is_listed(e, q.state, NULL, NULL, now)
				ORDER BY e.created_at DESC, e.key DESC LIMIT q."limit") p
			ORDER BY p.created_at DESC, p.namespace DESC, p.key DESC LIMIT q."limit") x;
	END IF;
	RETURN coalesce(events, '[]');
END
$$;

CREATE OR REPLACE FUNCTION :schema.is_listed(
	e :schema.event, state text, created_after double precision, created_before double precision, now timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
	SELECT (state IS NULL OR e.state = state)
		AND (created_after IS NULL OR e.created_at > :schema.at(created_after))
		AND (created_before IS NULL OR e.created_at < :schema.at(created_before))
		AND (e.expires_at IS NULL OR e.expires_at > now)
$$;
