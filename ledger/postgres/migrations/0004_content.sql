-- Takes the fields of its command one by one.
DROP FUNCTION IF EXISTS :schema.claim_event(jsonb);

-- The same content under another key, by one hash of namespace and fingerprint. With both as text it was the largest index and the one
-- that made a batch of claims slower by half.
DROP FUNCTION IF EXISTS :schema.same_content(text, text, text, timestamptz);
DROP INDEX :schema.event_fingerprint;
CREATE INDEX event_fingerprint ON :schema.event (hashtextextended(fingerprint, hashtext(namespace))) WHERE fingerprint IS NOT NULL;
