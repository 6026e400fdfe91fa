-- What a swap has to know of the record.
SELECT id, revision, state, createdAt, dueAt, expiresAt, executionId, fingerprint, externalId, alias, duplicates, lastSeenAt
FROM record WHERE namespaceId = :namespaceId AND key = :key
