-- Counts records and reads the tallies.
--
-- ARGV[1]  namespace, or '' for all
-- ARGV[2]  how many days back, today included
-- ARGV[3]  the states that are counted one by one (JSON)
-- Output   { all records, of each state in all namespaces ..., (namespace, day, kind, count) ... }

local only = ARGV[1]
local oldest = math.floor(now / DAY) - ARGV[2] + 1
local keys = shard .. 'keys'
local reply = { only == '' and call('ZCARD', keys) or call('ZLEXCOUNT', keys, '[' .. only .. '\0', '(' .. only .. '\1') }

for _, state in ipairs(cjson.decode(ARGV[3])) do reply[#reply + 1] = call('ZCARD', shard .. 'due:' .. state) end

for _, namespace in ipairs(only ~= '' and { only } or call('ZRANGE', shard .. 'namespaces', 0, -1)) do
	local counts = call('HGETALL', shard .. 'tally:' .. namespace)
	for i = 1, #counts, 2 do
		local day, kind = string.match(counts[i], '^(%d+)|(.+)$')
		if tonumber(day) >= oldest then
			for _, value in ipairs({ namespace, day, kind, counts[i + 1] }) do reply[#reply + 1] = value end
		end
	end
end

return reply
