-- Takes its commands by columns.
DROP FUNCTION IF EXISTS :schema.claim_events(jsonb, jsonb);
DROP FUNCTION IF EXISTS :schema.lock_marks(jsonb, jsonb, timestamptz);
DROP FUNCTION IF EXISTS :schema.claim_commands(jsonb, jsonb);

-- Says less than it did where an event is new.
DROP FUNCTION IF EXISTS :schema.claim_event(
	text, text, text, text, text, text, text, text, bigint, bigint, integer, text, text, boolean, boolean);
