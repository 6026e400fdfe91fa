INSERT INTO :schema.tally_new (namespace, day, kind, count)
SELECT t.namespace, :today, 'stale', t.n FROM json_to_recordset(:tallies::json) AS t (namespace text, n bigint)
