INSERT INTO :schema.event (
	namespace, key, revision, state, created_at, due_at, expires_at, execution_id, fingerprint, finds_same, external_id, alias,
	duplicates, last_seen_at, body, input, result)
SELECT namespace, key, revision, state, :now, :now + due_after, :now + expires_after, execution_id, fingerprint, finds_same, external_id, alias,
	0, :now, body, input, result
FROM given
