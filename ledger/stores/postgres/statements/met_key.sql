-- if alias
(SELECT k.key FROM :schema.event k WHERE k.namespace = g.namespace AND k.key = g.key),
(SELECT a.key FROM :schema.event a WHERE a.namespace = g.namespace AND a.alias = :alias::text),
-- end if
