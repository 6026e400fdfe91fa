SELECT id FROM namespace WHERE name = :name
