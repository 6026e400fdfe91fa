-- Counts events and reads the tallies.
--
-- ARGV[1]  namespace, or '' for all
-- ARGV[2]  how many days back, today included
-- ARGV[3]  '0' at first, then the cursor that it returned
-- Output   { processing, waiting, failed, review, all events, (namespace, day, kind, count) ... }
--          Or { cursor }: has to be called again, because there are many fresh or expired events.

local PAGE = 1000
local SWEEP_LIMIT = 500

local unsettled = settle(ARGV[3])
if unsettled then return { unsettled } end
local swept = sweep(SWEEP_LIMIT)
flush()
if swept == SWEEP_LIMIT then return { '' } end

local only = ARGV[1]
local oldest = math.floor(now / DAY) - ARGV[2] + 1
local namespaces = only ~= '' and { only } or call('ZRANGE', shard .. 'namespaces', 0, -1)

local function countOpen(state)
	local index = shard .. 'due:' .. state
	local size = call('ZCARD', index)
	if only == '' then return size end
	local number, prefix = 0, only .. '\0'
	for first = 0, size - 1, PAGE do
		for _, id in ipairs(call('ZRANGE', index, first, first + PAGE - 1)) do
			if string.sub(id, 1, #prefix) == prefix then number = number + 1 end
		end
	end
	return number
end

local reply = {}
for i, state in ipairs({ 'processing', 'waiting', 'failed', 'review' }) do reply[i] = countOpen(state) end

local all = 0
for _, namespace in ipairs(namespaces) do all = all + call('ZCARD', shard .. 'created:' .. namespace) end
reply[5] = all

for _, namespace in ipairs(namespaces) do
	local tally = call('HGETALL', shard .. 'tally:' .. namespace)
	for i = 1, #tally, 2 do
		local day, kind = string.match(tally[i], '^(%d+)|(.+)$')
		if tonumber(day) >= oldest then
			reply[#reply + 1] = namespace
			reply[#reply + 1] = day
			reply[#reply + 1] = kind
			reply[#reply + 1] = tally[i + 1]
		end
	end
end

return reply
