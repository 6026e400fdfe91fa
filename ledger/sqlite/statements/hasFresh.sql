-- Returns  isFresh: 1 if there are fresh events
SELECT EXISTS (SELECT 1 FROM event WHERE id > (SELECT up_to FROM settled) AND fresh = 1) AS isFresh
