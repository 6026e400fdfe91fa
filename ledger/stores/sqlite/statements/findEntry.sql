SELECT text FROM entry WHERE name = :name
