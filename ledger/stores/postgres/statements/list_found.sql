-- The same of the records with a fingerprint or an external id: first all that have it, which are few. A planner that does not know
-- that they are few would look for them in the order of the keys.
WITH found AS MATERIALIZED (
	SELECT e.namespace, e.key FROM :schema.event e
		WHERE e.external_id = :externalId::text -- if given
		UNION SELECT p.namespace, p.key FROM :schema.part p WHERE p.external_id = :externalId::text -- if given
		WHERE hashtextextended(e.fingerprint, hashtext(e.namespace)) = hashtextextended(:fingerprint::text, hashtext(:namespace::text)) -- if given
			AND e.fingerprint = :fingerprint::text AND e.namespace IS NOT DISTINCT FROM :namespace::text -- if given
)
SELECT :now AS now, r.* FROM (SELECT) one LEFT JOIN LATERAL (
	SELECT e.* FROM found f CROSS JOIN LATERAL (
		SELECT :record FROM :schema.event e
		WHERE e.namespace = f.namespace AND e.key = f.key
			-- include filters.sql
		LIMIT 1
	) e
	WHERE true
		AND f.namespace = :namespace::text -- if given
		AND (f.namespace, f.key) > (:afterNamespace::text, :afterKey::text) -- if given
		AND strpos(f.key, :keyPart::text) > 0 -- if given
	ORDER BY e.namespace, e.key
	LIMIT :limit::bigint
) r ON true
