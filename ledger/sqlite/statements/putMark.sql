-- Params   1 namespace's id, 2 object, 3 version, 4 expires at
INSERT INTO mark (namespace_id, object, version, expires_at) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO UPDATE SET version = excluded.version, expires_at = excluded.expires_at
