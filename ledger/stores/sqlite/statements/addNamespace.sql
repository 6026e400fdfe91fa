INSERT INTO namespace (name) VALUES (:name) RETURNING id
