same AS (
	SELECT g.index, e.key
	FROM given g CROSS JOIN LATERAL (
		SELECT e.key FROM :schema.event e
		WHERE hashtextextended(e.fingerprint, hashtext(e.namespace)) = hashtextextended(g.fingerprint, hashtext(g.namespace))
			AND e.fingerprint = g.fingerprint AND e.namespace IS NOT DISTINCT FROM g.namespace AND e.key <> g.key
			AND e.finds_same AND (e.expires_at IS NULL OR e.expires_at > :now)
		ORDER BY e.created_at DESC LIMIT 1) e
	WHERE g.finds_same AND g.fingerprint IS NOT NULL
),
