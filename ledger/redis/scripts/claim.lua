-- Claims events, as the table at `ClaimCommand` in Store.ts says.
--
-- KEYS    shards; more than one only where one server has them all
-- ARGV    for each shard: the number of runs. A run is a number of commands that have the following in common:
--         policy or 'stale', token that the item carries or '', number of commands;
--         and then for each command: id, value (the claim as a JSON list; if there is an input: line feed, input)
-- Output  { seconds, microseconds, position, reply, position, reply ... }; a command without a reply is `new`.
--         reply: { outcome, time, record, duplicates, lastSeen, result, (step, output, undo) ... }
--
-- Nearly all claims are new, and a claim is what a sender waits for. So a new event costs next to nothing: its value
-- is stored as it comes, and the time in `fresh`. History, tally and indexes follow when somebody changes the event or
-- asks for them: see `settle` in events.lua. A shard with anything that is not new is left to reclaim.lua.

local left = {}
local time = clock[1] .. ' ' .. clock[2]

if #ARGV == 6 and ARGV[2] ~= 'stale' then
	-- One command alone: the same as below, without its overhead.
	local id = ARGV[5]
	if call('SET', shard .. 'e:' .. id, ARGV[6], 'NX') then
		call('HSET', shard .. 'fresh', id, time)
	else
		left[1] = { shard = shard, at = 1, position = 0 }
	end
else
	local at, position = 1, 0
	for _, name in ipairs(KEYS) do
		local start = at
		local values, times, size = {}, {}, 0
		local seen, isSimple = {}, true
		local runs = ARGV[at] + 0
		at = at + 1
		for _ = 1, runs do
			local last = at + 2 + 2 * ARGV[at + 2]
			if ARGV[at] == 'stale' then isSimple = false end
			for command = at + 3, last, 2 do
				local id = ARGV[command]
				if seen[id] then isSimple = false end
				seen[id] = true
				size = size + 2
				values[size - 1], values[size] = name .. 'e:' .. id, ARGV[command + 1]
				times[size - 1], times[size] = id, time
			end
			at = last + 1
		end
		if isSimple and call('MSETNX', unpack(values)) == 1 then
			call('HSET', name .. 'fresh', unpack(times))
		else
			left[#left + 1] = { shard = name, at = start, position = position }
		end
		position = position + size / 2
	end
end

if #left == 0 then return clock end
