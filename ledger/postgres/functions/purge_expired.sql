-- Removes expired events, expired marks, and adds the tallies up.
--
-- Params   most: how many events at most
-- Returns  how many events
--
-- Rows that somebody works on are passed over, so that claims never wait for it.
CREATE OR REPLACE FUNCTION :schema.purge_expired(most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SET lock_timeout = '10s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	now        timestamptz := :schema.clock();
	ids        bigint[];
	namespaces text[];
	keys       text[];
BEGIN
	SELECT array_agg(x.id), array_agg(x.namespace), array_agg(x.key) INTO ids, namespaces, keys
	FROM (SELECT e.id, e.namespace, e.key FROM :schema.event e WHERE e.expires_at <= now
		ORDER BY e.expires_at LIMIT most FOR UPDATE SKIP LOCKED) x;
	IF ids IS NOT NULL THEN PERFORM :schema.forget_events(ids, namespaces, keys, now); END IF;
	DELETE FROM :schema.mark m WHERE m.ctid = ANY (ARRAY(
		SELECT x.ctid FROM :schema.mark x WHERE x.expires_at <= now LIMIT most FOR UPDATE SKIP LOCKED));
	PERFORM :schema.fold_tallies();
	RETURN coalesce(cardinality(ids), 0);
END
$$;
