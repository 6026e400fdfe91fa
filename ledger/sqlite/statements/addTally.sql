-- Params   1 namespace's id, 2 day, 3 kind, 4 how many more
INSERT INTO tally (namespace_id, day, kind, count) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO UPDATE SET count = count + excluded.count
