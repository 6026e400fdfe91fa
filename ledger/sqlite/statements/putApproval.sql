-- Params   1 event's id, 2 gate, 3 id, 4 state, 5 fingerprint, 6 content, 7 required, 8 votes, 9 requested at, 10 expires at,
--          11 decided at, 12 decided by, 13 comment, 14 previous fingerprint, 15 previous state
INSERT INTO approval (
	event_id, gate, id, state, fingerprint, content, required, votes, requested_at, expires_at, decided_at, decided_by, comment,
	previous_fingerprint, previous_state)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (event_id, gate) DO UPDATE SET
	id = excluded.id, state = excluded.state, fingerprint = excluded.fingerprint, content = excluded.content,
	required = excluded.required, votes = excluded.votes, requested_at = excluded.requested_at,
	expires_at = excluded.expires_at, decided_at = excluded.decided_at, decided_by = excluded.decided_by,
	comment = excluded.comment, previous_fingerprint = excluded.previous_fingerprint, previous_state = excluded.previous_state
