-- The first claim of an event. Inserts nothing if there is a record, live or expired.
--
-- Params   1 namespace's id, 2 key, 3 token, 4 claimant, 5 execution, 6 workflow, 7 fingerprint, 8 lease, 9 retention,
--          10 attempts, 11 keep the input, 12 input, 13 now, 14 end of the lease, 15 whether it is left fresh
INSERT INTO event (
	namespace_id, key, token, claimant, execution_id, workflow_id, fingerprint, lease, retention, max_attempts, keep_input, input,
	created_at, claimed_at, last_seen_at, lease_until, due_at, fresh, state, attempt, outcome)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?13, ?14, ?14, ?15, 'processing', 1, 'new')
ON CONFLICT DO NOTHING
