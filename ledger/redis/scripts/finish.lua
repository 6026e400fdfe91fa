-- Records how steps ended.
--
-- ARGV    for each command: the command without its values (JSON), output or '', undo or ''
-- Output  for each command { status, record, duplicates, lastSeen, step, and of a repetition: output, undo }

local function set(event, field, value)
	if value == '' then drop(event, field) else put(event, field, value) end
end

local function finish(event, before, command, output, undo)
	local record, name = event.record, command.step
	if not before then
		record.steps = append(record.steps, name)
		before = {
			attempt = record.attempt,
			tries = 1,
			executionId = record.executionId,
			startedAt = now,
		}
	end
	local text = encode({
		name = name,
		state = command.state,
		attempt = before.attempt,
		tries = before.tries,
		executionId = before.executionId,
		fingerprint = before.fingerprint,
		startedAt = before.startedAt,
		claimant = before.claimant,
		finishedAt = now,
		externalId = command.externalId,
		error = command.error,
	})
	put(event, 's:' .. name, text)
	set(event, 'o:' .. name, output)
	set(event, 'u:' .. name, undo)
	note(event, command.state == 'done' and 'step_done' or 'step_failed', {
		step = name,
		reason = command.error,
	})
	return text
end

local replies = {}

for first = 1, #ARGV, 3 do
	local command = decode(ARGV[first])
	local step = command.step
	local event = load(idOf(command))
	local found = event and get(event, 's:' .. step)
	local before = found and decode(found) or nil
	if before and before.state == 'done' and event.record.token == command.token then
		local values = call('HMGET', event.key, 'o:' .. step, 'u:' .. step)
		replies[#replies + 1] = answer('repeated', event, found, unpack(values))
	else
		local status = hold(event, command.token)
		local text = status == 'ok'
			and finish(event, before, command, ARGV[first + 1], ARGV[first + 2])
		replies[#replies + 1] = answer(status, event, text)
	end
end

flush()
return replies
