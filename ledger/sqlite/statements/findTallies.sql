-- Params   1 namespace, or null for all; 2 first day
-- Returns  namespace, day, kind, count
SELECT n.name AS namespace, t.day, t.kind, t.count
FROM namespace n JOIN tally t ON t.namespace_id = n.id AND t.day >= ?2
WHERE ?1 IS NULL OR n.name = ?1
ORDER BY n.name, t.day, t.kind
