-- Also after records were removed: SQLite gives the id of the newest one away again.
UPDATE indexed SET upTo = (SELECT coalesce(max(id), 0) FROM record) WHERE upTo <> (SELECT coalesce(max(id), 0) FROM record)
