UPDATE record SET duplicates = :duplicates, lastSeenAt = :lastSeenAt WHERE id = :id
