AND (e.expires_at IS NULL OR e.expires_at > :now)
AND e.state = :state::text -- if given
AND left(e.execution_id, 24) = left(:executionId::text, 24) AND e.execution_id = :executionId::text -- if given
AND e.key >= :keyPrefix::text AND e.key <= :keyPrefix::text || repeat(chr(1114111), 512) -- if given
AND e.created_at > :createdAfter::bigint -- if given
AND e.created_at < :createdBefore::bigint -- if given
AND e.due_at <= :dueBefore::bigint -- if given
