-- Steps that are being undone: until when they are handed out, by which call, and of which attempt if its run has them.
ALTER TABLE step ADD COLUMN undo_until INTEGER;
ALTER TABLE step ADD COLUMN undo_call TEXT;
ALTER TABLE step ADD COLUMN undo_attempt INTEGER;
