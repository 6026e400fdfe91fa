-- The events in a state other than done, most urgent first.
--
-- Params   state; namespace, createdAfter, createdBefore: null if any will do; dueBy: not due later than this;
--          claimedBy, minAttempts, backoff, maxBackoff: see TakeFilter in Store.ts;
--          afterTime, afterNamespace, afterKey: where the last page ended; limit
-- Returns  events
SELECT * FROM settled_record
WHERE state = :state AND state <> 'done' AND dueAt BETWEEN :afterTime AND :dueBy
	AND (dueAt, namespace, key) > (:afterTime, :afterNamespace, :afterKey)
	AND (:namespace IS NULL OR namespaceId = (SELECT id FROM namespace WHERE name = :namespace))
	AND (:createdAfter IS NULL OR createdAt > :createdAfter)
	AND (:createdBefore IS NULL OR createdAt < :createdBefore)
	AND createdAt <= :claimedBy AND attempt >= :minAttempts
	AND dueAt + iif(state IN ('processing', 'failed') AND attempt > attemptsFrom,
		min(:maxBackoff, :backoff * (1 << min(attempt - attemptsFrom - 1, 20))), 0) <= :dueBy
ORDER BY dueAt, namespace, key LIMIT :limit
