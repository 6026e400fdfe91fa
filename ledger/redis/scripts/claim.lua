-- Claims events, as the table at `ClaimCommand` in Store.ts says.
--
-- ARGV    runs, which are a number of commands that have in common: policy or 'stale', token that the item carries or
--         '', number of commands; and then for each command: id, value (the claim as a JSON list; if there is an
--         input: line feed, input)
-- Output  { seconds, microseconds, position, reply, position, reply ... }; a command without a reply is `new`.
--         reply: { outcome, time, record, duplicates, lastSeen, result, (step, output, undo) ... }
--
-- Nearly all claims are new, and a claim is what a sender waits for. So a new event costs next to nothing: its value
-- is stored as it comes, and the time in `fresh`. History, tally and indexes follow when somebody changes the event or
-- asks for them: see `settle` in events.lua. Whatever is not new is left to reclaim.lua.

local time = clock[1] .. ' ' .. clock[2]

if #ARGV == 5 then
	-- One command alone: the same as below, without its overhead.
	local policy, id, value = ARGV[1], ARGV[4], ARGV[5]
	if policy ~= 'stale' and call('SET', shard .. 'e:' .. id, value, 'NX') then
		call('HSET', shard .. 'fresh', id, time)
		return clock
	end
else
	local values, times, seen = {}, {}, {}
	local size, isSimple = 0, true
	local first = 1
	while first < #ARGV do
		local last = first + 2 + 2 * ARGV[first + 2]
		if ARGV[first] == 'stale' then isSimple = false end
		for command = first + 3, last, 2 do
			local id = ARGV[command]
			if seen[id] then isSimple = false end
			seen[id] = true
			size = size + 2
			values[size - 1], values[size] = shard .. 'e:' .. id, ARGV[command + 1]
			times[size - 1], times[size] = id, time
		end
		first = last + 1
	end
	if isSimple and call('MSETNX', unpack(values)) == 1 then
		call('HSET', shard .. 'fresh', unpack(times))
		return clock
	end
end
