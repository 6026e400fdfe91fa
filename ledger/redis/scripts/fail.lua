-- Gives events up, for now or for a person.
--
-- ARGV    the commands (JSON): by `token`, `by` an operator, or by `executionId` for all that an execution holds
-- Output  for each command { status, record, duplicates, lastSeen }

local function allowed(event, command)
	-- Whoever names the execution stands for its holder, as long as the event is still with that execution.
	if event and command.executionId then
		local isSame = event.record.executionId == command.executionId
		command.token = isSame and event.record.token or nil
	end
	local status = mayGiveUp(event, command)
	return status == 'ok' and event.record.state == 'done' and 'closed' or status
end

local function fail(event, command)
	local record = event.record
	if command.as == 'review' then return toReview(event, command.reason, command.by) end
	if record.attempt - (record.released or 0) >= record.maxAttempts then
		return toReview(event, usedUp(record.maxAttempts, command.reason), command.by)
	end
	record.state, record.reason = 'failed', command.reason
	record.dueAt, record.leaseUntil = now + command.retryAfter, nil
	note(event, 'failed', { by = command.by, reason = command.reason })
end

local replies = {}

for i, argument in ipairs(ARGV) do
	local command = decode(argument)
	local event = load(idOf(command))
	local status = allowed(event, command)
	if status == 'ok' then fail(event, command) end
	replies[i] = answer(status, event)
end

flush()
return replies
