-- The rules at the top of Store.ts, for all scripts that change events.

local function renewLease(event)
	local record = event.record
	record.leaseUntil = now + record.lease
	record.dueAt = record.leaseUntil
	event.changed = true
end

local function toReview(event, reason, by)
	local record = event.record
	record.state, record.reason = 'review', reason
	record.dueAt, record.leaseUntil = now, nil
	note(event, 'review', { reason = reason, by = by })
end

local function usedUp(attempts, last)
	local reason = 'All ' .. attempts .. ' attempts are used up'
	return last and reason .. '; last: ' .. last or reason
end

local function retire(event)
	local record = event.record
	record.state, record.doneAt, record.expiresAt = 'done', now, now + record.retention
	record.leaseUntil, record.dueAt, record.reason = nil, nil, nil
	if not record.keepInput then
		event.input = nil
		drop(event, 'i')
	end
end

-- Appends to a list that is absent when it is empty, because an empty table would become `{}` and not `[]`.
local function append(list, value)
	list = list or {}
	list[#list + 1] = value
	return list
end

local function expireGate(event, gate)
	if gate.state ~= 'pending' or not gate.expiresAt or gate.expiresAt > now then return end
	gate.state = 'expired'
	put(event, 'g:' .. gate.gate, encode(gate))
	note(event, 'approval_expired', { gate = gate.gate })
end

local function gatesOf(event)
	local gates = {}
	for i, name in ipairs(event.record.gates or {}) do
		gates[i] = decode(get(event, 'g:' .. name))
	end
	return gates
end

-- When the first of the pending gates expires, and how many are pending. `changed` is a gate that is not saved yet.
local function nextExpiry(event, changed)
	local first, pending = NEVER, 0
	for _, name in ipairs(event.record.gates) do
		local gate = name == changed.gate and changed or decode(get(event, 'g:' .. name))
		local expiresAt = gate.expiresAt or NEVER
		if gate.state == 'pending' and expiresAt > now then
			first, pending = math.min(first, expiresAt), pending + 1
		end
	end
	return first, pending
end

-- Whether the token holds the event. If so, the lease is renewed.
local function hold(event, token)
	if not event then return 'missing' end
	local record = event.record
	if record.token ~= token then return 'stale' end
	if record.state == 'waiting' then
		local isPending = false
		for _, gate in ipairs(gatesOf(event)) do
			expireGate(event, gate)
			isPending = isPending or gate.state == 'pending'
		end
		if isPending then return 'closed' end
		record.state = 'processing'
		note(event, 'continued')
	end
	if record.state ~= 'processing' then return 'closed' end
	renewLease(event)
	return 'ok'
end

-- Operators may say which state they found the event in.
local function isAsExpected(record, command)
	return not command.inState or command.inState == record.state
end

-- Whether the token or the operator may give the event up.
local function mayGiveUp(event, command)
	if not event then return 'missing' end
	local record = event.record
	if command.by then return isAsExpected(record, command) and 'ok' or 'closed' end
	if record.token ~= command.token then return 'stale' end
	if record.state == 'failed' or record.state == 'review' then return 'repeated' end
	return record.state == 'done' and 'closed' or 'ok'
end

-- Whether the holder or the operator may undo steps of the event. A holder's lease is renewed.
local function holdToUndo(event, command)
	if not command.by or not event then return hold(event, command.token) end
	local record = event.record
	local isLive = record.state == 'processing' and record.leaseUntil > now
	return (isLive or record.state == 'waiting') and 'closed' or 'ok'
end

-- Whether an event is due and passes a `TakeFilter`.
local function mayBeTaken(record, filter)
	local used, backoff = record.attempt - (record.released or 0), 0
	if (record.state == 'processing' or record.state == 'failed') and used > 0 then
		backoff = math.min(filter.maxBackoff, filter.backoff * 2 ^ math.min(used - 1, 20))
	end
	return record.dueAt + backoff <= now
		and record.attempt >= filter.minAttempts
		and (filter.minAge == 0 or record.createdAt <= now - filter.minAge)
end
