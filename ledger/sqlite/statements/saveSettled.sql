-- None is fresh. Also after events were removed: SQLite gives the id of the newest one away again.
UPDATE settled SET up_to = (SELECT coalesce(max(id), 0) FROM event) WHERE up_to <> (SELECT coalesce(max(id), 0) FROM event)
