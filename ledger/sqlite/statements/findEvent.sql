-- Params   1 namespace's id, 2 key, 3 now
-- Returns  the live event
SELECT * FROM event_record WHERE namespaceId = ?1 AND key = ?2 AND (expiresAt IS NULL OR expiresAt > ?3)
