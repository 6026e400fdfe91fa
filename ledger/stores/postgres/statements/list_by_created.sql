-- A page of the newest records: the newest of each namespace, and then the newest of these. There are as many namespaces as
-- workflows: few.
WITH RECURSIVE names (namespace) AS (
	(SELECT e.namespace FROM :schema.event e
		WHERE e.namespace = :namespace::text -- if given
		ORDER BY e.namespace LIMIT 1)
	UNION ALL
	SELECT (SELECT e.namespace FROM :schema.event e WHERE e.namespace > n.namespace ORDER BY e.namespace LIMIT 1)
	FROM names n
	WHERE n.namespace IS NOT NULL
		AND n.namespace <> :namespace::text -- if given
)
SELECT :now AS now, r.* FROM (SELECT) one LEFT JOIN LATERAL (
	SELECT e.* FROM names n CROSS JOIN LATERAL (
		SELECT :record FROM :schema.event e
		-- Not compared with an equals sign, which would let the planner sort all of the namespace.
		WHERE hashtext(e.namespace) = hashtext(n.namespace) AND e.namespace IS NOT DISTINCT FROM n.namespace
			AND e.created_at <= :afterTime::bigint -- if given
			AND (e.created_at, e.namespace, e.key) < (:afterTime::bigint, :afterNamespace::text, :afterKey::text) -- if given
			AND strpos(e.key, :keyPart::text) > 0 -- if given
			-- include filters.sql
		ORDER BY e.created_at DESC, e.key DESC
		LIMIT :limit::bigint
	) e
	ORDER BY e."createdAt" DESC, e.namespace DESC, e.key DESC
	LIMIT :limit::bigint
) r ON true
