-- Params   1 event's id, 2 name, 3 state, 4 attempt, 5 tries, 6 execution, 7 claimant, 8 fingerprint, 9 started at,
--          10 finished at, 11 external id, 12 output, 13 undo, 14 error, 15 undo until, 16 undo call, 17 undo attempt
INSERT INTO step (
	event_id, name, state, attempt, tries, execution_id, claimant, fingerprint, started_at, finished_at, external_id, output,
	undo, error, undo_until, undo_call, undo_attempt)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
ON CONFLICT (event_id, name) DO UPDATE SET
	state = excluded.state, attempt = excluded.attempt, tries = excluded.tries, execution_id = excluded.execution_id,
	claimant = excluded.claimant, fingerprint = excluded.fingerprint, started_at = excluded.started_at,
	finished_at = excluded.finished_at, external_id = excluded.external_id, output = excluded.output, undo = excluded.undo,
	error = excluded.error, undo_until = excluded.undo_until, undo_call = excluded.undo_call,
	undo_attempt = excluded.undo_attempt
