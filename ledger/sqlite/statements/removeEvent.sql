-- Params   1 namespace's id, 2 key
DELETE FROM event WHERE namespace_id = ?1 AND key = ?2
