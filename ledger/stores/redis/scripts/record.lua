-- The text of a record, see recordText.ts. Redis hashes every byte of every string that Lua makes: so as few as can be.

local find, match, sub = string.find, string.match, string.sub

-- Times and counters as text, and where the head starts and ends and the body ends.
local function open(text)
	local lastSeenAt, createdAt, revision, duplicates, flags, from = match(text, '^(%d+) (%d+) (%d+) (%-?%d+) (%S+) ()')
	local timesEnd = find(text, '\0', from, true)
	local headEnd = find(text, '\0', timesEnd + 1, true)
	return {
		lastSeenAt = lastSeenAt,
		createdAt = createdAt,
		revision = revision,
		duplicates = duplicates,
		flags = flags,
		from = from,
		timesEnd = timesEnd,
		headEnd = headEnd,
		bodyEnd = find(text, '\0', headEnd + 1, true),
	}
end

local function summaryOf(text, record)
	return sub(text, 1, record.bodyEnd - 1)
end

-- The fields behind the body: input, result, and where the histories start.
local function valuesOf(text, record)
	local inputEnd = find(text, '\0', record.bodyEnd + 1, true)
	local resultEnd = find(text, '\0', inputEnd + 1, true)
	return sub(text, record.bodyEnd + 1, inputEnd - 1), sub(text, inputEnd + 1, resultEnd - 1), resultEnd + 1
end

local function isExpired(text, record)
	local expires = match(text, '^%S+ ([^%s%z]+)', record.from)
	return expires ~= '-' and record.createdAt + expires <= now
end

local function headOf(text, record)
	return cjson.decode(sub(text, record.timesEnd + 1, record.headEnd - 1))
end

local function idOf(key)
	return sub(key, #shard + 3)
end

local function namespaceOf(key)
	return match(key, '^%Z+', #shard + 3)
end

-- A value as it was given, with a plus sign before it; '' if there is none.
local function loadValue(stored, key, suffix)
	return stored == '@' and '+' .. call('GET', key .. suffix) or stored
end
