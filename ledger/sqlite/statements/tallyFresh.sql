-- Counts the fresh events as new, on the day of each. By id, whatever SQLite thinks of other indexes.
INSERT INTO tally (namespace_id, day, kind, count)
SELECT namespace_id, date(created_at / 1000, 'unixepoch'), 'new', count(*)
FROM event NOT INDEXED WHERE id > (SELECT up_to FROM settled) AND fresh = 1
GROUP BY 1, 2
ON CONFLICT DO UPDATE SET count = count + excluded.count
