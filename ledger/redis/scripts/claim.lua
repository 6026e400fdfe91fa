-- Claims events, as the table at `ClaimCommand` in Store.ts says.
--
-- ARGV    number of commands; 1 if all can be tried at once, because none is stale and no two are of the same event; for each
--         command: key of the event, value (the claim as a JSON list; if there is an input: line feed, input); and then
--         runs, which are a number of commands that have in common: policy or 'stale', token that the item carries or
--         '', number of commands
-- Output  { seconds, microseconds, position, reply, position, reply ... }; a command without a reply is `new`.
--         reply: { outcome, time, record, duplicates, lastSeen, result, (step, output, undo) ... }
--
-- Nearly all claims are new, and a claim is what a sender waits for. So a new event costs next to nothing: its value
-- is stored as it comes, and the time in `fresh`. History, tally and indexes follow when somebody changes the event or
-- asks for them, or else soon after: see `settle` in events.lua, and Settler.ts. Whatever is not new is left to reclaim.lua.

local time = clock[1] .. ' ' .. clock[2]
local lastValue = 2 + 2 * ARGV[1]
-- Where the id starts in the key of an event.
local idStart = #shard + #'e:' + 1

if ARGV[2] == '1' then
	if lastValue == 4 then
		if call('SET', ARGV[3], ARGV[4], 'NX') then
			call('HSET', shard .. 'fresh', string.sub(ARGV[3], idStart), time)
			return clock
		end
	elseif call('MSETNX', unpack(ARGV, 3, lastValue)) == 1 then
		local times = {}
		for key = 3, lastValue, 2 do
			times[key - 2], times[key - 1] = string.sub(ARGV[key], idStart), time
		end
		call('HSET', shard .. 'fresh', unpack(times))
		return clock
	end
end
