-- A delivery that was turned away.
--
-- Params   1 id, 2 duplicates, 3 last seen at
UPDATE event SET duplicates = ?2, last_seen_at = ?3 WHERE id = ?1
