-- Params   1 event's id
-- Returns  name of each step that was started and not finished, in the order in which they were begun
SELECT name FROM step WHERE event_id = ?1 AND state = 'started' ORDER BY id
