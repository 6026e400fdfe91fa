-- The events in a state other than done, most urgent first.
--
-- Params   state; namespace, createdAfter, createdBefore: null if any will do; dueBy: not due later than this;
--          afterTime, afterNamespace, afterKey: where the last page ended; limit
-- Returns  events
SELECT * FROM event_record
WHERE state = :state AND state <> 'done' AND dueAt BETWEEN :afterTime AND :dueBy
	AND (dueAt, namespace, key) > (:afterTime, :afterNamespace, :afterKey)
	AND (:namespace IS NULL OR namespaceId = (SELECT id FROM namespace WHERE name = :namespace))
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
ORDER BY dueAt, namespace, key LIMIT :limit
