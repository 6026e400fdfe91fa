-- Raises version marks, each at most once. An expired mark is none.
WITH given AS :rows
INSERT INTO :schema.mark AS m (namespace, object, version, expires_at)
SELECT g.namespace, g.object, g.version, :now + g.retention FROM given g
ON CONFLICT (namespace, object) DO UPDATE SET
	version = CASE WHEN m.expires_at > :now THEN greatest(m.version, excluded.version) ELSE excluded.version END,
	previous = CASE WHEN m.expires_at > :now THEN m.version END,
	expires_at = greatest(m.expires_at, excluded.expires_at)
RETURNING m.namespace, m.object, m.previous
