-- Gives claims back.
--
-- ARGV    the commands (JSON)
-- Output  for each command { status, record, duplicates, lastSeen }

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = mayGiveUp(event, command)
	if status == 'ok' then
		local record = event.record
		record.state, record.reason = 'failed', command.reason or 'Released'
		record.dueAt, record.leaseUntil = now, nil
		record.doneAt, record.expiresAt = nil, nil
		record.released = record.attempt
		note(event, 'released', { by = command.by, reason = command.reason })
	end
	replies[i] = answer(status, event)
end

flush()
return replies
