-- Takes the fields of its command one by one.
DROP FUNCTION IF EXISTS :schema.claim_event(jsonb);
