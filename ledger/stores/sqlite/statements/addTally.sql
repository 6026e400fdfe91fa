INSERT INTO tally (namespaceId, day, kind, count) VALUES (:namespaceId, :day, :kind, :count)
ON CONFLICT DO UPDATE SET count = count + excluded.count
