-- Numbers its rows with an integer.
DROP FUNCTION IF EXISTS :schema.claim_commands(text[], text[], text[], text[], text[], jsonb, jsonb);
