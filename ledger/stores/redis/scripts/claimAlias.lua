-- Gives an alias to a key, for records in other shards.
--
-- ARGV    name of the alias, what it must be now or '' if nothing, key, when its record is created
-- Output  1, or false if it is something else

local pointer = shard .. 'alias:' .. ARGV[1]
if (call('GET', pointer) or '') ~= ARGV[2] then return false end
call('SET', pointer, ARGV[3] .. '\0' .. ARGV[4])
return 1
