-- Params   1 id
UPDATE event SET input = NULL WHERE id = ?1
