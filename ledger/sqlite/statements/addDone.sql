-- Params   1 namespace's id, 2 how many more events of it are done
UPDATE namespace SET done = done + ?2 WHERE id = ?1
