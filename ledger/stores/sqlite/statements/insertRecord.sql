-- Inserts nothing if a record is in the way.
INSERT INTO record (
	namespaceId, key, revision, state, createdAt, lastSeenAt, dueAt, expiresAt, executionId, fingerprint, externalId, alias, sharesContent,
	unindexed, body, input, result)
VALUES (
	:namespaceId, :key, :revision, :state, :now, :now, :dueAt, :expiresAt, :executionId, :fingerprint, :externalId, :alias, :sharesContent,
	:unindexed, :body, :input, :result)
ON CONFLICT DO NOTHING
