-- Removes expired events.
--
-- ARGV[1]  how many at most
-- Output   how many

local purged = sweep(ARGV[1])
flush()
return purged
