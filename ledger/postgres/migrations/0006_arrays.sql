-- Takes what each command has of its own as arrays.
DROP FUNCTION IF EXISTS :schema.claim_events(jsonb, jsonb);
DROP FUNCTION IF EXISTS :schema.lock_marks(jsonb, jsonb, timestamptz);
DROP FUNCTION IF EXISTS :schema.claim_commands(jsonb, jsonb);
