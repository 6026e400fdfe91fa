-- Keeps an entry; returns what is kept then.
INSERT INTO :schema.entry AS e (name, text, expires_at)
VALUES (:name::text, :text::text, :now + :expiresAfterMs::bigint)
ON CONFLICT (name) DO UPDATE SET
	text = CASE WHEN :onlyIfMissing::boolean AND coalesce(e.expires_at > :now, true) THEN e.text ELSE excluded.text END,
	expires_at = CASE WHEN :onlyIfMissing::boolean AND coalesce(e.expires_at > :now, true) THEN e.expires_at ELSE excluded.expires_at END
RETURNING text
