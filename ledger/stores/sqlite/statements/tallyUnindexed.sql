-- On the day of each. By id, whatever SQLite thinks of other indexes.
INSERT INTO tally (namespaceId, day, kind, count)
SELECT namespaceId, date(createdAt / 1000, 'unixepoch'), unindexed, count(*)
FROM record NOT INDEXED WHERE id > (SELECT upTo FROM indexed) AND unindexed <> ''
GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET count = count + excluded.count
