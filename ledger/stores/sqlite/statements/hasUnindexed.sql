SELECT EXISTS (SELECT 1 FROM record WHERE id > (SELECT upTo FROM indexed) AND unindexed <> '') AS hasUnindexed
