-- Hands out how to undo the finished steps of events.
--
-- ARGV    the commands (JSON)
-- Output  for each command { status, record, duplicates, lastSeen, (step, output, undo) ... }

local function undoable(event)
	local steps = {}
	for _, name in ipairs(event.record.steps or {}) do
		local values = call('HMGET', event.key, 's:' .. name, 'o:' .. name, 'u:' .. name)
		local step = decode(values[1])
		if step.state == 'done' and values[3] then
			steps[#steps + 1] = { name = name, step = step, values = values }
		end
	end
	return steps
end

local function take(event, command)
	if event.isFresh then return {} end
	local steps = undoable(event)
	local attempt = event.record.attempt
	local isTaken, isRepetition = false, false
	for _, found in ipairs(steps) do
		isRepetition = isRepetition or found.step.undoCall == command.call
		local isOfEarlier = not command.by and (found.step.undoAttempt or attempt) ~= attempt
		isTaken = isTaken or not isOfEarlier and (found.step.undoUntil or 0) > now
	end
	if isRepetition then return steps end
	if isTaken or #steps == 0 then return {} end
	for _, found in ipairs(steps) do
		found.step.undoUntil, found.step.undoCall = now + command.visibility, command.call
		found.step.undoAttempt = not command.by and attempt or nil
		put(event, 's:' .. found.name, encode(found.step))
	end
	note(event, 'undo_taken', { by = command.by })
	return steps
end

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = holdToUndo(event, command)
	local steps = status == 'ok' and take(event, command) or {}
	local reply = answer(status, event)
	for _, found in ipairs(steps) do
		for j = 1, 3 do reply[#reply + 1] = found.values[j] end
	end
	replies[i] = reply
end

flush()
return replies
