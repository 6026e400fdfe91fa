-- Params   1 event's id
-- Returns  the event's gates in the order in which they were asked for first
SELECT
	gate, id, state, fingerprint, content, required, votes, requested_at AS requestedAt, expires_at AS expiresAt,
	decided_at AS decidedAt, decided_by AS decidedBy, comment, previous_fingerprint AS previousFingerprint,
	previous_state AS previousState
FROM approval WHERE event_id = ?1
ORDER BY position
