-- The values of an event that ends: its input goes, unless it is to be kept.
--
-- Params   1 id, 2 result
UPDATE event SET input = iif(keep_input, input, NULL), result = ?2 WHERE id = ?1
