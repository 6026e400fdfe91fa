-- Another function has its place by now.
DROP FUNCTION IF EXISTS :schema.may_give_up(:schema.event, text, text);
DROP FUNCTION IF EXISTS :schema.event_history(text, text);

-- Steps may be undone: until when that is handed out, by which call, and of which attempt if its run has them.
ALTER TABLE :schema.step
	DROP CONSTRAINT step_state_check,
	ADD CONSTRAINT step_state_check CHECK (state IN ('started', 'done', 'failed', 'undone')),
	ADD COLUMN undo_until timestamptz,
	ADD COLUMN undo_call text,
	ADD COLUMN undo_attempt integer;
