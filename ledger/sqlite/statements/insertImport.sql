-- An event that was done elsewhere. Inserts nothing if there is a record, live or expired.
--
-- Params   1 namespace's id, 2 key, 3 fingerprint, 4 external id, 5 done at, 6 retention, 7 now, 8 history, 9 result
INSERT INTO event (
	namespace_id, key, fingerprint, external_id, done_at, retention, created_at, claimed_at, last_seen_at, expires_at, history,
	result, state, attempt, lease, max_attempts)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7, ?7 + ?6, ?8, ?9, 'done', 0, 0, 1)
ON CONFLICT DO NOTHING
