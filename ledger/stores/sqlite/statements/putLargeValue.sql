INSERT INTO largeValue (recordId, name, text) VALUES (:id, :name, :text)
