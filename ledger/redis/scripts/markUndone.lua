-- Records that finished steps were taken back.
--
-- ARGV    the commands (JSON)
-- Output  for each command { status, record, duplicates, lastSeen, step, output, undo }

local function undo(event, command)
	local name = command.step
	local found = get(event, 's:' .. name)
	local step = found and decode(found)
	if not step or step.state ~= 'done' and step.state ~= 'undone' then return answer('not_done', event) end
	local status = step.state == 'done' and 'ok' or 'repeated'
	if status == 'ok' then
		step.state = 'undone'
		step.undoUntil, step.undoCall, step.undoAttempt = nil, nil, nil
		put(event, 's:' .. name, encode(step))
		note(event, 'step_undone', { step = name, by = command.by, reason = command.reason })
	end
	save(event)
	return answer(status, event, unpack(call('HMGET', event.key, 's:' .. name, 'o:' .. name, 'u:' .. name)))
end

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = holdToUndo(event, command)
	replies[i] = status == 'ok' and undo(event, command) or answer(status, event)
end

flush()
return replies
