-- The oldest other event with the same fingerprint.
--
-- Params   1 namespace's id, 2 fingerprint, 3 key that does not count, 4 now
-- Returns  key
SELECT key FROM event
WHERE namespace_id = ?1 AND substr(fingerprint, -8) = substr(?2, -8) AND fingerprint = ?2
	AND key <> ?3 AND (expires_at IS NULL OR expires_at > ?4)
ORDER BY id LIMIT 1
