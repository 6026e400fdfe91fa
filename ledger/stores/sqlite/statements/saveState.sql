-- As saveBody, and what changes with the state of a record.
UPDATE record SET
	revision = revision + 1, body = :body, duplicates = :duplicates, lastSeenAt = :lastSeenAt,
	history = history || iif(history = '' OR :append = '', '', ',') || :append,
	state = :state, dueAt = :dueAt, expiresAt = :expiresAt,
	input = iif(:staysInput, input, :input), result = iif(:staysResult, result, :result)
WHERE id = :id
