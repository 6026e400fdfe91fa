-- Notes in the history what became of a request.
--
-- ARGV[1]  the command (JSON)
-- Output   1 if it was noted, else 0

local function enough(event, command)
	local record, same = event.record, 0
	for i = record.entries, math.max(1, record.entries - HISTORY_LIMIT + 1), -1 do
		local entry = decode(get(event, 'h:' .. i))
		if entry.gate == command.gate then
			if entry.kind == 'approval_requested' then break end
			if entry.kind == command.kind and entry.by == command.by then same = same + 1 end
		end
	end
	return same >= command.limit
end

local command = decode(ARGV[1])
local event = load(idOf(command))
local found = event and get(event, 'g:' .. command.gate)
local noted = found and decode(found).id == command.approvalId and not enough(event, command)
if noted then
	note(event, command.kind, { gate = command.gate, by = command.by, reason = command.reason })
	save(event)
end
flush()
return noted and 1 or 0
