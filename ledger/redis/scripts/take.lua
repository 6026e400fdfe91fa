-- Hands out events that are due.
--
-- ARGV[1]  { states, visibility, by, call, and a TakeFilter } (JSON); `call` tells a repetition, whose first answer was lost
-- ARGV     ids of events that were due a moment ago
-- Output   { now, details ... }, as in get.lua; false for what somebody else got first

local command = decode(ARGV[1])
local wanted = {}
for _, state in ipairs(command.states) do wanted[state] = true end

local function take(event)
	local record = event.record
	if record.taken == command.call then return details(event) end
	if not wanted[record.state] or not mayBeTaken(record, command) then return false end
	record.dueAt, record.taken = now + command.visibility, command.call
	note(event, 'taken', { by = command.by })
	save(event)
	return details(event)
end

local replies = { now }

for i = 2, #ARGV do
	local event = load(ARGV[i])
	replies[i] = event and take(event) or false
end

flush()
return replies
