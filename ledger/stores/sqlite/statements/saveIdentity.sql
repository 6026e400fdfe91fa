-- An alias that another record has stays there.
UPDATE record SET
	createdAt = :createdAt, executionId = :executionId, fingerprint = :fingerprint, externalId = :externalId,
	alias = iif(EXISTS (SELECT 1 FROM record AS other
		WHERE other.namespaceId = record.namespaceId AND other.alias = :alias AND other.id <> :id), alias, :alias)
WHERE id = :id
