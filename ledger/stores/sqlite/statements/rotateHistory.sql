UPDATE record SET
	history = substr(history, olderHistory + 1),
	olderHistory = iif(length(history) > olderHistory, length(history) - olderHistory + 1, 0)
WHERE id = :id
