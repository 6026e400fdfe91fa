-- What every swap changes, and no index has.
UPDATE record SET
	revision = revision + 1, body = :body, duplicates = :duplicates, lastSeenAt = :lastSeenAt,
	history = history || iif(history = '' OR :append = '', '', ',') || :append
WHERE id = :id
