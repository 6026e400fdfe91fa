-- A page of records of one state in the order in which they are due.
SELECT :now AS now, r.* FROM (SELECT) one LEFT JOIN LATERAL (
	SELECT :record FROM :schema.event e
	WHERE e.state <> 'done'
		-- Not compared with an equals sign, so that the planner takes the index that has the order.
		AND e.namespace IS NOT DISTINCT FROM :namespace::text -- if given
		AND (e.due_at, e.namespace, e.key) > (:afterTime::bigint, :afterNamespace::text, :afterKey::text) -- if given
		AND strpos(e.key, :keyPart::text) > 0 -- if given
		-- include filters.sql
	ORDER BY e.due_at, e.namespace, e.key
	LIMIT :limit::bigint
) r ON true
