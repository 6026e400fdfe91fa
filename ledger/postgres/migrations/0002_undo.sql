-- Steps may be undone: until when their undoing is handed out, and by which call.
ALTER TABLE :schema.step
	DROP CONSTRAINT step_state_check,
	ADD CONSTRAINT step_state_check CHECK (state IN ('started', 'done', 'failed', 'undone')),
	ADD COLUMN undo_until timestamptz,
	ADD COLUMN undo_call text;
