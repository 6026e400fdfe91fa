-- Steps that are being undone: until when they are handed out, and by which call.
ALTER TABLE step ADD COLUMN undo_until INTEGER;
ALTER TABLE step ADD COLUMN undo_call TEXT;
