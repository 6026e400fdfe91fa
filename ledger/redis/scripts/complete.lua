-- Completes events.
--
-- ARGV    for each command: the command without its result (JSON), result or ''
-- Output  for each command { status, record, duplicates, lastSeen, stored result of a repetition, unfinished step ... }

local function unfinishedSteps(event)
	local names = {}
	for _, name in ipairs(event.record.steps or {}) do
		local step = decode(get(event, 's:' .. name))
		if step.state == 'started' then names[#names + 1] = name end
	end
	return names
end

local function complete(event, command, result)
	local record = event and event.record
	if record and record.state == 'done' and (command.by or record.token == command.token) then
		return answer('repeated', event, get(event, 'o'))
	end
	if not command.by or not event then
		local status = hold(event, command.token)
		if status ~= 'ok' then return answer(status, event) end
		local unfinished = unfinishedSteps(event)
		if #unfinished > 0 then return answer('unfinished', event, false, unpack(unfinished)) end
	end
	if not isAsExpected(record, command) then return answer('closed', event) end
	retire(event)
	if result ~= '' then put(event, 'o', result) else drop(event, 'o') end
	record.externalId = command.externalId or record.externalId
	if record.attempt > 1 then
		count(record.namespace, 'rescued')
		count(record.namespace, 'rescue_seconds', now, 1 + math.floor((now - record.createdAt) / 1000))
	end
	note(event, 'completed', { by = command.by, reason = command.reason })
	return answer('ok', event)
end

local replies = {}

sweep(20 + #ARGV / 2)
for first = 1, #ARGV, 2 do
	local command = decode(ARGV[first])
	replies[#replies + 1] = complete(load(idOf(command)), command, ARGV[first + 1])
end

flush()
return replies
