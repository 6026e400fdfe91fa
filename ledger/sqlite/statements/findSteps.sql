-- Params   1 event's id, 2 name of the step, or null for all
-- Returns  steps in the order in which they were begun
SELECT
	name, state, attempt, tries, execution_id AS executionId, claimant, fingerprint, started_at AS startedAt,
	finished_at AS finishedAt, external_id AS externalId, output, undo, error,
	undo_until AS undoUntil, undo_call AS undoCall, undo_attempt AS undoAttempt
FROM step WHERE event_id = ?1 AND name = coalesce(?2, name)
ORDER BY id
