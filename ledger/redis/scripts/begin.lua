-- Begins steps.
--
-- ARGV    the commands (JSON); `call` tells a repetition, whose first answer was lost, from a second try
-- Output  for each command { status, record, duplicates, lastSeen, outcome, step, output, undo }

local function outcomeOf(event, step, command)
	if not step or step.state == 'failed' or step.state == 'undone' then return 'run' end
	if step.call == command.call then return 'repeated' end
	if differ(step.fingerprint, command.fingerprint) then return 'conflict' end
	if step.state == 'done' then return 'done' end
	if step.attempt == event.record.attempt and step.claimant ~= command.claimant then
		return 'in_progress'
	end
	local inTime = not command.repeatWithin or now <= step.startedAt + command.repeatWithin
	return command.whenInDoubt == 'repeat' and inTime and 'run' or 'in_doubt'
end

local function start(event, step, command)
	local record, name = event.record, command.step
	put(event, 's:' .. name, encode({
		name = name,
		state = 'started',
		attempt = record.attempt,
		tries = (step and step.tries or 0) + 1,
		executionId = command.executionId,
		fingerprint = command.fingerprint or step and step.fingerprint or nil,
		startedAt = step and step.startedAt or now,
		claimant = command.claimant,
		call = command.call,
	}))
	if step then
		drop(event, 'o:' .. name)
		drop(event, 'u:' .. name)
	else
		record.steps = append(record.steps, name)
	end
	note(event, 'step_started', { step = name, executionId = command.executionId })
end

local function begin(event, command)
	local name = command.step
	local found = get(event, 's:' .. name)
	local step = found and decode(found) or nil
	local outcome = outcomeOf(event, step, command)
	if outcome == 'run' then
		start(event, step, command)
	elseif outcome == 'in_doubt' then
		toReview(event, "Step '" .. name .. "' was started by attempt " .. step.attempt
			.. ' of execution ' .. step.executionId .. ' and not finished')
	end
	save(event)
	local values = call('HMGET', event.key, 's:' .. name, 'o:' .. name, 'u:' .. name)
	return answer('ok', event, outcome == 'repeated' and 'run' or outcome, unpack(values))
end

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = hold(event, command.token)
	replies[i] = status == 'ok' and begin(event, command) or answer(status, event)
end

flush()
return replies
