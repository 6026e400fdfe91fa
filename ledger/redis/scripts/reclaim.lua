-- The second half of claim.lua: one command after the other, because not all are new. Cleans up a little, too.

local SWEEP_LIMIT = 20

local function win(event, command, outcome, input)
	local record = event.record
	local fingerprint = command.fingerprint or record.fingerprint
	for _, field in ipairs(CLAIM_FIELDS) do record[field] = command[field] end
	record.fingerprint = fingerprint
	record.state, record.outcome, record.reason = 'processing', outcome, nil
	record.attempt, record.claimedAt = record.attempt + 1, now
	if input ~= '' then put(event, 'i', input) end
	renewLease(event)
	note(event, outcome)
	return outcome
end

local function turnAway(event, outcome, isCounted)
	if event.isFresh then
		event.changed = true
		save(event)
	end
	event.duplicates = call('HINCRBY', event.key, 'd', 1)
	event.lastSeen = now
	call('HSET', event.key, 'l', now)
	if not isCounted then count(event.record.namespace, outcome) end
	return outcome
end

local function whyReview(record, command, policy)
	if record.attempt - (record.released or 0) >= command.maxAttempts then
		return usedUp(command.maxAttempts, record.state == 'failed' and record.reason)
	end
	if record.state == 'processing' and policy == 'review' then
		local attempt = 'Attempt ' .. record.attempt .. ' of execution ' .. record.executionId
		return attempt .. ' stopped before it finished'
	end
	return nil
end

local function claim(event, command, input, run)
	local record = event.record
	if record.token == command.token then return record.outcome or 'new' end
	if differ(record.fingerprint, command.fingerprint) then return turnAway(event, 'conflict') end
	if record.state == 'done' then return turnAway(event, 'duplicate') end
	if record.state == 'waiting' or record.state == 'review' then
		return turnAway(event, record.state)
	end
	local isLive = record.state == 'processing' and record.leaseUntil > now
	local isSameWork = record.claimant == command.claimant or record.token == run.carried
	if isLive and not isSameWork then return turnAway(event, 'in_progress') end
	if run.policy == 'stale' then
		retire(event)
		note(event, 'superseded')
		return turnAway(event, 'stale')
	end
	if isLive then return win(event, command, 'resumed', input) end
	local reason = whyReview(record, command, run.policy)
	if reason then
		toReview(event, reason)
		return turnAway(event, 'review', true)
	end
	return win(event, command, record.state == 'failed' and 'retry' or 'recovered', input)
end

local function create(id, value)
	if not call('SET', shard .. 'e:' .. id, value, 'NX') then return false end
	call('HSET', shard .. 'fresh', id, time)
	return true
end

local function decide(id, value, run)
	local isStale = run.policy == 'stale'
	if not isStale and create(id, value) then return nil end
	local event = load(id)
	if not event and isStale then
		count(string.match(id, '^%Z+'), 'stale')
		return { 'stale', now }
	end
	if not event then
		-- There was one, but it has expired.
		create(id, value)
		return nil
	end
	local command, input = readClaim(value)
	local outcome = claim(event, command, input, run)
	save(event)
	-- The same event may come again in this call, and move on from where it is now.
	flushIndexes()
	-- Repeating `new` has to say when that was, because the caller takes it for the whole record.
	local at = outcome == 'new' and event.record.createdAt or now
	local reply = { outcome, at, textOf(event), event.duplicates, event.lastSeen }
	if event.isFresh then return reply end
	local fields = { 'o' }
	addSteps(fields, event.record)
	return addValues(reply, event, fields)
end

local replies, position = clock, 0

for first = lastValue + 1, #ARGV, 3 do
	local run = { policy = ARGV[first], carried = ARGV[first + 1] }
	for _ = 1, tonumber(ARGV[first + 2]) do
		local command = 3 + 2 * position
		local reply = decide(string.sub(ARGV[command], idStart), ARGV[command + 1], run)
		if reply then
			replies[#replies + 1] = position
			replies[#replies + 1] = reply
		end
		position = position + 1
	end
end

sweep(SWEEP_LIMIT)
flush()
return replies
