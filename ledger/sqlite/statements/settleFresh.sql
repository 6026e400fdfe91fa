-- Gives the fresh events their places in all indexes.
UPDATE event SET fresh = 0 WHERE id > (SELECT up_to FROM settled) AND fresh = 1
