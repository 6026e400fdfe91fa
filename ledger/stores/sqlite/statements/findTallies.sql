SELECT day, kind, count FROM tally WHERE namespaceId = :namespaceId AND day >= :firstDay ORDER BY day, kind
