INSERT INTO entry (name, text, expiresAt) VALUES (:name, :text, :expiresAt)
ON CONFLICT DO UPDATE SET text = excluded.text, expiresAt = excluded.expiresAt
WHERE NOT :onlyIfMissing OR entry.expiresAt <= :now
RETURNING text
