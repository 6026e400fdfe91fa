-- Returns  hasFresh: 1 if there are fresh events, else 0
SELECT EXISTS (SELECT 1 FROM event WHERE id > (SELECT up_to FROM settled) AND fresh = 1) AS hasFresh
