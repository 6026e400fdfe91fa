-- Renews leases.
--
-- ARGV    the commands (JSON)
-- Output  for each command { status, record, duplicates, lastSeen }

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = hold(event, command.token)
	if status == 'ok' and command.lease then
		event.record.lease = command.lease
		renewLease(event)
	end
	replies[i] = answer(status, event)
end

flush()
return replies
