SELECT input, result FROM record WHERE id = :id
