-- Inserts records of which none is there yet; if one is, it fails and inserts none. Faster than insert.sql.
WITH given AS :rows,
inserted AS (
	-- include insert_rows.sql
),
-- if findsSame
	-- include same_content.sql
-- end if
tallied AS (
	INSERT INTO :schema.tally_new (namespace, day, kind, count)
	SELECT t.namespace, :today, :count::text, t.n FROM json_to_recordset(:tallies::json) AS t (namespace text, n bigint)
)
SELECT :now AS now
	-- if findsSame
	, (SELECT json_agg(json_build_array(index, key)) FROM same) AS same
	-- end if
