-- All that winning a claim changes.
--
-- Params   1 id, 2 token, 3 claimant, 4 execution, 5 workflow, 6 fingerprint, 7 outcome, 8 attempt, 9 claimed at, 10 lease,
--          11 retention, 12 attempts, 13 keep the input, 14 end of the lease, 15 history, 16 input, or null to leave it
UPDATE event SET
	state = 'processing', token = ?2, claimant = ?3, execution_id = ?4, workflow_id = ?5, fingerprint = ?6, outcome = ?7,
	attempt = ?8, claimed_at = ?9, lease = ?10, retention = ?11, max_attempts = ?12, keep_input = ?13, lease_until = ?14,
	due_at = ?14, reason = NULL, history = ?15,
	input = coalesce(?16, input)
WHERE id = ?1
