SELECT history FROM record WHERE id = :id
