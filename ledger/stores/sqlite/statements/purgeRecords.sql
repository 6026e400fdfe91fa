-- Longest expired first.
DELETE FROM record WHERE id IN (SELECT id FROM record WHERE expiresAt <= :now ORDER BY expiresAt LIMIT :limit)
RETURNING namespaceId
