SELECT namespaceId, count(*) AS count
FROM record NOT INDEXED WHERE id > (SELECT upTo FROM indexed) AND unindexed IS NOT NULL
GROUP BY namespaceId
