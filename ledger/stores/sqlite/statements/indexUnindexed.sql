UPDATE record SET unindexed = NULL WHERE id > (SELECT upTo FROM indexed) AND unindexed IS NOT NULL
