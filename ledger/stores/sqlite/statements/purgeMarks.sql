DELETE FROM mark WHERE (namespaceId, object) IN (
	SELECT namespaceId, object FROM mark WHERE expiresAt <= :now ORDER BY expiresAt LIMIT :limit)
