SELECT namespaceId, count(*) AS count
FROM record NOT INDEXED WHERE id > (SELECT upTo FROM indexed) AND unindexed <> ''
GROUP BY namespaceId
