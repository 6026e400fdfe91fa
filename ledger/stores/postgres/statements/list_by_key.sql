-- A page of records in the order of their keys. Only the inner SELECT sorts: the planner would sort again for the outer one.
SELECT :now AS now, r.* FROM (SELECT) one LEFT JOIN LATERAL (
	SELECT * FROM (
		SELECT :record FROM :schema.event e
		WHERE true
			AND e.namespace = :namespace::text -- if given
			AND (e.namespace, e.key) > (:afterNamespace::text, :afterKey::text) -- if given
			-- include filters.sql
		ORDER BY e.namespace, e.key
		LIMIT :searchLimit::bigint -- if given
	) e
	WHERE strpos(e.key, :keyPart::text) > 0 -- if given
	LIMIT :limit::bigint
) r ON true
