DELETE FROM entry WHERE name IN (SELECT name FROM entry WHERE expiresAt <= :now ORDER BY expiresAt LIMIT :limit)
