SELECT name, text FROM :schema.entry
WHERE name >= :prefix::text AND name <= :prefix::text || repeat(chr(1114111), 512) AND coalesce(expires_at > :now, true)
ORDER BY name
