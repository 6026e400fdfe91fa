-- An expired mark is none.
INSERT INTO mark (namespaceId, object, version, expiresAt) VALUES (:namespaceId, :object, :version, :expiresAt)
ON CONFLICT DO UPDATE SET
	version = iif(mark.expiresAt > :now, max(mark.version, excluded.version), excluded.version),
	expiresAt = max(mark.expiresAt, excluded.expiresAt)
RETURNING version
