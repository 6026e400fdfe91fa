UPDATE record SET unindexed = '' WHERE id > (SELECT upTo FROM indexed) AND unindexed <> ''
