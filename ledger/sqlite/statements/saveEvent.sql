-- All that any other write changes.
--
-- Params   1 id, 2 state, 3 lease, 4 end of the lease, 5 due at, 6 done at, 7 expires at, 8 attempts from, 9 duplicates,
--          10 last seen at, 11 reason, 12 external id, 13 history
UPDATE event SET
	state = ?2, lease = ?3, lease_until = ?4, due_at = ?5, done_at = ?6, expires_at = ?7, attempts_from = ?8, duplicates = ?9,
	last_seen_at = ?10, reason = ?11, external_id = ?12, history = ?13
WHERE id = ?1
