INSERT INTO part (recordId, name, text, externalId) VALUES (:id, :name, :text, :externalId)
ON CONFLICT DO UPDATE SET text = excluded.text, externalId = excluded.externalId
