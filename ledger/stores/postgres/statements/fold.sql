-- Adds appended counts to their totals. Only one session does that at a time; others skip it.
WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtext(:lock::text)) AS is_mine),
folded AS (
	DELETE FROM :schema.tally_new WHERE ctid = ANY (ARRAY(
		SELECT n.ctid FROM turn CROSS JOIN LATERAL (SELECT ctid FROM :schema.tally_new LIMIT :limit::bigint) n WHERE turn.is_mine))
	RETURNING namespace, day, kind, count
)
INSERT INTO :schema.tally AS t (namespace, day, kind, count)
SELECT namespace, day, kind, sum(count) FROM folded GROUP BY namespace, day, kind
ON CONFLICT (namespace, day, kind) DO UPDATE SET count = t.count + excluded.count
