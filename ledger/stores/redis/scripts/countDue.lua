-- Counts the records of one state in one namespace, a bounded number of index entries per call.
--
-- ARGV    state, namespace, where to begin, how many entries
-- Output  { how many of these are of the namespace, 1 if there are more entries else 0 }

local prefix, first, most = ARGV[2] .. '\0', tonumber(ARGV[3]), tonumber(ARGV[4])
local ids = call('ZRANGE', shard .. 'due:' .. ARGV[1], first, first + most - 1)
local count = 0
for _, id in ipairs(ids) do
	if string.sub(id, 1, #prefix) == prefix then count = count + 1 end
end
return { count, #ids == most and 1 or 0 }
