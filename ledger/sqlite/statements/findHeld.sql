-- A part of what an execution works on.
--
-- Params   1 execution, 2 id after which the part begins, 3 how many at most
-- Returns  events in the order of their ids
SELECT * FROM settled_record
WHERE executionId = ?1 AND id > ?2 AND state IN ('processing', 'waiting')
ORDER BY id LIMIT ?3
