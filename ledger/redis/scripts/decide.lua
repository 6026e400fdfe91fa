-- Records one person's decision.
--
-- ARGV[1]  the command (JSON)
-- Output   { outcome, gate, content }

local function approvers(votes)
	local people, number = {}, 0
	for _, vote in ipairs(votes) do
		if not people[vote.by] then number = number + 1 end
		people[vote.by] = true
	end
	return number
end

local function vote(event, gate, command)
	if gate.id ~= command.approvalId then return 'superseded' end
	for _, earlier in ipairs(gate.votes or {}) do
		if earlier.id == command.voteId then return earlier.answer end
	end
	if gate.state == 'expired' then return 'expired' end
	if gate.state ~= 'pending' then return 'already_decided' end

	local decision, by, comment = command.decision, command.by, command.comment
	for _, earlier in ipairs(gate.votes or {}) do
		if earlier.by == by and earlier.decision == decision then return 'voted' end
	end
	local kept = { id = command.voteId, by = by, decision = decision, at = now, comment = comment }
	gate.votes = append(gate.votes, kept)
	local decides = decision == 'rejected' or approvers(gate.votes) >= gate.required
	kept.answer = decides and 'decided' or 'voted'
	if decides then
		gate.state, gate.decidedAt, gate.decidedBy, gate.comment = decision, now, by, comment
	end
	put(event, 'g:' .. gate.gate, encode(gate))
	note(event, decides and decision or 'vote', { gate = gate.gate, by = by, reason = comment })
	local record = event.record
	if decides and record.state == 'waiting' then
		local first, pending = nextExpiry(event, gate)
		record.dueAt = first
		if pending == 0 then
			record.state = 'processing'
			renewLease(event)
		end
	end
	return kept.answer
end

local command = decode(ARGV[1])
local event = load(idOf(command))
local found = event and get(event, 'g:' .. command.gate)
if not found then
	flush()
	return { 'unknown' }
end

local gate = decode(found)
expireGate(event, gate)
local outcome = vote(event, gate, command)
save(event)
flush()
return { outcome, encode(gate), get(event, 'c:' .. command.gate) }
