SELECT name, text FROM entry
WHERE name BETWEEN :prefix AND :last AND (expiresAt IS NULL OR expiresAt > :now)
ORDER BY name
