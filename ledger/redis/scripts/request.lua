-- Requests approvals.
--
-- ARGV    for each command: the command without its content (JSON), content or ''
-- Output  for each command { status, record, duplicates, lastSeen, 1 if it is new else 0, gate,
--         and if it is not new: content }

local function refusal(event, command)
	if not event then return 'missing' end
	if not command.token then return nil end
	local record = event.record
	if record.token ~= command.token then return 'stale' end
	return record.state ~= 'processing' and record.state ~= 'waiting' and 'closed' or nil
end

local function ask(event, command, content, previous)
	local record, name = event.record, command.gate
	local gate = {
		id = command.id,
		gate = name,
		state = 'pending',
		fingerprint = command.fingerprint,
		required = command.required,
		requestedAt = now,
		expiresAt = command.expiresIn and now + command.expiresIn,
		previousFingerprint = previous and previous.fingerprint or nil,
		previousState = previous and previous.state or nil,
	}
	put(event, 'g:' .. name, encode(gate))
	if content ~= '' then
		put(event, 'c:' .. name, content)
	elseif previous then
		drop(event, 'c:' .. name)
	end
	if not previous then record.gates = append(record.gates, name) end
	note(event, 'approval_requested', { gate = name })
	return gate
end

local function request(event, command, content)
	local status = refusal(event, command)
	if status then return answer(status, event) end
	local found = get(event, 'g:' .. command.gate)
	local gate = found and decode(found) or nil
	if gate then expireGate(event, gate) end
	local isNew = not gate
		or gate.id == command.id
		or gate.state == 'expired'
		or gate.fingerprint ~= command.fingerprint
	if isNew and not (gate and gate.id == command.id) then gate = ask(event, command, content, gate) end
	if command.token and gate.state == 'pending' then
		local record = event.record
		record.state, record.leaseUntil = 'waiting', nil
		record.dueAt = nextExpiry(event, gate)
		event.changed = true
	end
	local stored = not isNew and get(event, 'c:' .. command.gate)
	return answer('ok', event, isNew and 1 or 0, encode(gate), stored)
end

local replies = {}

for first = 1, #ARGV, 2 do
	local command = decode(ARGV[first])
	replies[#replies + 1] = request(load(idOf(command)), command, ARGV[first + 1])
end

flush()
return replies
