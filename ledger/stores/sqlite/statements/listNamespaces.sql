SELECT id, name, records FROM namespace WHERE :name IS NULL OR name = :name ORDER BY name
