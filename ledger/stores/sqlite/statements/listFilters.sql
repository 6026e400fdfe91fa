	+key BETWEEN :keyFrom AND :keyTo
	AND (:state IS NULL OR state = :state)
	AND (:executionId IS NULL OR executionId = :executionId)
	AND (:fingerprint IS NULL OR fingerprint = :fingerprint)
	AND (:keyPart IS NULL OR instr(key, :keyPart) > 0)
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
	AND (expiresAt IS NULL OR expiresAt > :now)
