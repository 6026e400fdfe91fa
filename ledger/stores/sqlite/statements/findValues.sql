SELECT
	coalesce(input, (SELECT text FROM largeValue WHERE recordId = :id AND name = 'input')) AS input,
	coalesce(result, (SELECT text FROM largeValue WHERE recordId = :id AND name = 'result')) AS result
FROM record WHERE id = :id
