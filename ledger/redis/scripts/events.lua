-- Records and their indexes, for all scripts that do more than make new events.

local encode, decode = cjson.encode, cjson.decode

local function milliseconds(seconds, microseconds)
	return seconds * 1000 + math.floor(microseconds / 1000)
end

local now = milliseconds(clock[1], clock[2])

local HISTORY_LIMIT = 100
local DAY = 24 * 60 * 60 * 1000
-- `dueAt` of what is never due by itself.
local NEVER = 253402300799000
-- Far below the number of values that fit on Lua's stack, which is what `unpack` needs.
local VARIADIC = 4000

-- --- Written together at the end: one call for many costs far less than many calls ---

local tallies, entries = {}, {}

local function count(namespace, kind, time, more)
	local key = shard .. 'tally:' .. namespace
	local tally = tallies[key]
	if not tally then
		tally = { namespace = namespace, counts = {} }
		tallies[key] = tally
	end
	local field = math.floor((time or now) / DAY) .. '|' .. kind
	tally.counts[field] = (tally.counts[field] or 0) + (more or 1)
end

local function enter(index, score, member)
	local key = shard .. index
	local list = entries[key]
	if not list then
		list = {}
		entries[key] = list
	end
	local size = #list
	list[size + 1] = score
	list[size + 2] = member
end

local function flushIndexes()
	for key, list in pairs(entries) do
		for first = 1, #list, VARIADIC do
			call('ZADD', key, unpack(list, first, math.min(first + VARIADIC - 1, #list)))
		end
	end
	entries = {}
end

local function flush()
	flushIndexes()
	for key, tally in pairs(tallies) do
		for field, number in pairs(tally.counts) do
			local total = call('HINCRBY', key, field, number)
			-- The first of its kind and day: rare enough to make sure that the namespace is known.
			if total == number then call('ZADD', shard .. 'namespaces', 0, tally.namespace) end
		end
	end
	tallies = {}
end

-- --- Reading ---

local function idOf(address)
	return address.namespace .. '\0' .. address.key
end

local function differ(a, b)
	return a ~= nil and b ~= nil and a ~= b
end

-- What a claim says, from the compact form in which claim.lua gets and keeps it; and the input, or ''.
local CLAIM_FIELDS = {
	'token',
	'claimant',
	'executionId',
	'workflowId',
	'fingerprint',
	'lease',
	'retention',
	'maxAttempts',
	'keepInput',
}

local function readClaim(value)
	local text, input = string.match(value, '^([^\n]*)\n?(.*)$')
	local claim, values = {}, decode(text)
	for i, name in ipairs(CLAIM_FIELDS) do
		if values[i] ~= '' then claim[name] = values[i] end
	end
	return claim, input
end

-- An event that nobody touched since it was claimed: all there is to know follows from its claim, and from when that was.
local function readFresh(id, key, value, time)
	local record, input = readClaim(value)
	record.namespace, record.key = string.match(id, '^(%Z+)%z(%Z+)$')
	local createdAt = milliseconds(string.match(time, '^(%d+) (%d+)$'))
	local dueAt = createdAt + record.lease
	record.state, record.attempt, record.entries = 'processing', 1, 1
	record.createdAt, record.claimedAt = createdAt, createdAt
	record.leaseUntil, record.dueAt = dueAt, dueAt
	local entry = { at = createdAt, kind = 'new', attempt = 1, executionId = record.executionId }
	return {
		id = id,
		key = key,
		isFresh = true,
		record = record,
		duplicates = false,
		lastSeen = false,
		input = input ~= '' and input,
		history = encode(entry),
	}
end

-- An event to look at; nil if there is none. An expired one has `isExpired`.
local function read(id)
	local key = shard .. 'e:' .. id
	local time = call('HGET', shard .. 'fresh', id)
	local value = time and call('GET', key)
	if value then return readFresh(id, key, value, time) end
	local found = call('HMGET', key, 'r', 'd', 'l')
	if not found[1] then return nil end
	local record = decode(found[1])
	return {
		id = id,
		key = key,
		text = found[1],
		record = record,
		duplicates = found[2],
		lastSeen = found[3],
		isExpired = record.expiresAt ~= nil and record.expiresAt <= now,
	}
end

-- --- The end of events ---

-- All that has to be known to clean up after a record that Redis has already expired. `createdAt` tells the
-- event from a later one with the same key.
local function remains(record)
	return table.concat({
		record.namespace,
		record.key,
		record.executionId or '',
		record.fingerprint or '',
		record.createdAt,
	}, '\0')
end

-- Removes an expired event and its index entries, but nothing of an event that has its key by now.
local function forget(member)
	local namespace, key, execution, fingerprint, createdAt =
		string.match(member, '^(%Z+)%z(%Z+)%z(%Z*)%z(%Z*)%z(%d+)$')
	local id = namespace .. '\0' .. key
	local found = read(id)
	if found and found.record.createdAt == tonumber(createdAt) then
		call('UNLINK', found.key)
		found = nil
	end
	-- A fresh event has no index entries yet: all that there are belong to the old one.
	local successor = found and not found.isFresh and found.record
	if not successor then
		call('ZREM', shard .. 'created:' .. namespace, key)
		call('ZREM', shard .. 'keys:' .. namespace, key)
	end
	if execution ~= '' and not (successor and successor.executionId == execution) then
		call('ZREM', shard .. 'execution:' .. execution, id)
	end
	if fingerprint ~= '' and not (successor and successor.fingerprint == fingerprint) then
		call('ZREM', shard .. 'fingerprint:' .. fingerprint, id)
	end
	call('ZREM', shard .. 'expiry', member)
	count(namespace, 'purged')
end

-- Cleans up after up to `limit` expired events and says after how many. Every script that makes or ends events
-- does a little of it, so that indexes do not grow when nobody calls purge.
local function sweep(limit)
	local expired = call('ZRANGEBYSCORE', shard .. 'expiry', '-inf', now, 'LIMIT', 0, limit)
	for _, member in ipairs(expired) do forget(member) end
	return #expired
end

-- --- One event ---

-- Makes an event that was read one to change, with `save` at the end.
local function open(event)
	local record = event.record
	-- What the indexes know.
	event.was = event.isFresh and {} or {
		state = record.state,
		dueAt = record.dueAt,
		executionId = record.executionId,
		fingerprint = record.fingerprint,
		expiresAt = record.expiresAt,
	}
	event.fields, event.dropped = {}, {}
	return event
end

-- A live event to change; nil if there is none.
local function load(id)
	local event = read(id)
	if event and event.isExpired then
		forget(remains(event.record))
		return nil
	end
	return event and open(event)
end

-- A field of an event: false if it has none.
local function get(event, field)
	return not event.isFresh and call('HGET', event.key, field)
end

local function put(event, field, value)
	local fields = event.fields
	fields[#fields + 1] = field
	fields[#fields + 1] = value
	event.changed = true
end

local function drop(event, field)
	event.dropped[#event.dropped + 1] = field
	event.changed = true
end

local function note(event, kind, details)
	local record, entry = event.record, details or {}
	entry.at, entry.kind, entry.attempt = now, kind, record.attempt
	entry.executionId = entry.executionId or record.executionId
	record.entries = record.entries + 1
	put(event, 'h:' .. record.entries, encode(entry))
	if record.entries > HISTORY_LIMIT then drop(event, 'h:' .. (record.entries - HISTORY_LIMIT)) end
	count(record.namespace, kind)
end

local function moveName(index, was, is, id)
	if was == is then return end
	if was then call('ZREM', shard .. index .. was, id) end
	if is then enter(index .. is, 0, id) end
end

-- A fresh event becomes one like others: with a history, and with those places in indexes that it keeps.
local function unfreshen(event)
	local record = event.record
	call('DEL', event.key)
	call('HSET', event.key, 'h:1', event.history, unpack(event.input and { 'i', event.input } or {}))
	enter('created:' .. record.namespace, record.createdAt, record.key)
	enter('keys:' .. record.namespace, 0, record.key)
	count(record.namespace, 'new', record.createdAt)
	event.isFresh = false
end

-- Writes what was changed, and moves the event in the indexes accordingly.
local function save(event)
	if not event.changed then return end
	local record, was, id = event.record, event.was, event.id
	event.text = encode(record)
	if event.isFresh then
		call('HDEL', shard .. 'fresh', id)
		unfreshen(event)
	end
	call('HSET', event.key, 'r', event.text, unpack(event.fields))
	if #event.dropped > 0 then call('HDEL', event.key, unpack(event.dropped)) end

	if was.dueAt and was.state ~= record.state then call('ZREM', shard .. 'due:' .. was.state, id) end
	if record.dueAt and (was.dueAt ~= record.dueAt or was.state ~= record.state) then
		call('ZADD', shard .. 'due:' .. record.state, record.dueAt, id)
	end
	moveName('execution:', was.executionId, record.executionId, id)
	moveName('fingerprint:', was.fingerprint, record.fingerprint, id)
	if record.expiresAt and not was.expiresAt then
		call('ZADD', shard .. 'expiry', record.expiresAt, remains(record))
		call('PEXPIREAT', event.key, record.expiresAt)
	elseif was.expiresAt and not record.expiresAt then
		call('ZREM', shard .. 'expiry', remains(record))
		call('PERSIST', event.key)
	end
	event.changed = false
end

-- Gives fresh events what others have: a history, and places in the indexes. About `most` at a time, on from
-- `cursor`; '' if that is done already. Returns the cursor to go on with; nil at the end.
local function settle(cursor, most)
	if cursor == '' then return nil end
	local reply = call('HSCAN', shard .. 'fresh', cursor, 'COUNT', most or 200)
	local following, found = reply[1], reply[2]
	local ids = {}
	for i = 1, #found, 2 do
		local id, time = found[i], found[i + 1]
		local key = shard .. 'e:' .. id
		local value = call('GET', key)
		if value then
			local event = readFresh(id, key, value, time)
			local record = event.record
			unfreshen(event)
			call('HSET', key, 'r', encode(record))
			-- Nothing in this script moves it, so that it can be entered together with the others.
			enter('due:processing', record.dueAt, id)
			if record.executionId then enter('execution:' .. record.executionId, 0, id) end
			if record.fingerprint then enter('fingerprint:' .. record.fingerprint, 0, id) end
		end
		ids[#ids + 1] = id
	end
	if #ids > 0 then call('HDEL', shard .. 'fresh', unpack(ids)) end
	flush()
	return following ~= '0' and following or nil
end

local function textOf(event)
	return event.text or encode(event.record)
end

-- Ends a command: writes its changes, and starts its reply with what TypeScript makes a summary of.
local function answer(status, event, ...)
	if not event then return { status } end
	save(event)
	return { status, textOf(event), event.duplicates, event.lastSeen, ... }
end

-- Appends the fields that hold all steps: three for each, in the order of `record.steps`.
local function addSteps(fields, record)
	for _, step in ipairs(record.steps or {}) do
		fields[#fields + 1] = 's:' .. step
		fields[#fields + 1] = 'o:' .. step
		fields[#fields + 1] = 'u:' .. step
	end
end

-- Appends the fields that hold all gates: two for each, in the order of `record.gates`.
local function addGates(fields, record)
	for _, gate in ipairs(record.gates or {}) do
		fields[#fields + 1] = 'g:' .. gate
		fields[#fields + 1] = 'c:' .. gate
	end
end

-- Appends the values of fields to a reply.
local function addValues(reply, event, fields)
	for first = 1, #fields, VARIADIC do
		local last = math.min(first + VARIADIC - 1, #fields)
		local values = call('HMGET', event.key, unpack(fields, first, last))
		for i = 1, last - first + 1 do reply[#reply + 1] = values[i] end
	end
	return reply
end

-- All of an event but its history.
local function details(event)
	local reply = { textOf(event), event.duplicates, event.lastSeen }
	if event.isFresh then
		reply[4] = event.input
		return reply
	end
	local fields = { 'i', 'o' }
	addSteps(fields, event.record)
	addGates(fields, event.record)
	return addValues(reply, event, fields)
end
