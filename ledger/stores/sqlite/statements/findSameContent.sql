-- The newest live record with the same content before this one.
SELECT key FROM record
WHERE namespaceId = :namespaceId AND substr(fingerprint, -8) = substr(:fingerprint, -8) AND id < :id
	AND fingerprint = :fingerprint AND sharesContent = 1 AND (expiresAt IS NULL OR expiresAt > :now)
ORDER BY id DESC LIMIT 1
