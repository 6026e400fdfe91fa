-- Reads records with what is wanted of them.
WITH given AS :rows
SELECT :now AS now, r.*
FROM (SELECT) one LEFT JOIN (
	SELECT g.index, e.*,
		CASE
			WHEN g.all_parts THEN (
				SELECT json_strip_nulls(json_agg(json_build_object('name', p.name, 'text', p.text, 'externalId', p.external_id)))
				FROM :schema.part p WHERE p.event_id = e.id)
			WHEN g.parts IS NOT NULL THEN (
				SELECT json_strip_nulls(json_agg(json_build_object('name', p.name, 'text', p.text, 'externalId', p.external_id)))
				FROM :schema.part p
				WHERE p.event_id = e.id AND p.name = ANY (ARRAY(SELECT json_array_elements_text(g.parts::json))))
		END AS parts
	FROM given g CROSS JOIN LATERAL (
		SELECT :record, e.id,
			CASE WHEN g.wants_values THEN e.input END AS input,
			CASE WHEN g.wants_values THEN e.result END AS result,
			CASE WHEN g.wants_history THEN concat_ws(',', e.older, e.history) END AS history
		FROM :schema.event e WHERE e.namespace = g.namespace AND e.key = g.key LIMIT 1) e
) r ON true
