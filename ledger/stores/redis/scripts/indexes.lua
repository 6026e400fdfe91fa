-- What the indexes say of a record, and how that is changed. Changes are gathered and written at the end of a script.

-- Whether contents lie in other shards than the records that have them.
local isSpread = ARGV[1] == '1'
local added, dropped = {}, {}

-- { index = member }, { index = score }
local function placesOf(id, counters, headText)
	local namespace, key = match(id, '^(%Z+)%z(%Z+)$')
	local createdAt, flags, due, expires = match(counters, '^(%S+) (%S+) (%S+) (%S+)$')
	local head = cjson.decode(headText)
	local members, scores = { keys = id }, {}
	members['created:' .. namespace] = key
	scores['created:' .. namespace] = createdAt
	if due ~= '-' then
		members['due:' .. head.state] = id
		scores['due:' .. head.state] = createdAt + due
	end
	if expires ~= '-' then
		members.expiry = id
		scores.expiry = createdAt + expires
	end
	members.execution = head.executionId and head.executionId .. '\0' .. id
	members.fingerprint = head.fingerprint and head.fingerprint .. '\0' .. id
	members.external = head.externalId and head.externalId .. '\0' .. id
	-- These two are kept at once, and only given up with the others.
	local isFoundByContent = head.fingerprint and find(flags, 'c', 1, true)
	members.content = isFoundByContent and head.fingerprint .. '\0' .. id .. '\0' .. createdAt or nil
	members.alias = head.alias and head.alias .. '\0' .. id .. '\0' .. createdAt
	return members, scores
end

local function placesOfText(id, text)
	local record = open(text)
	local counters = record.createdAt .. ' ' .. record.flags .. ' ' .. sub(text, record.from, record.timesEnd - 1)
	return placesOf(id, counters, sub(text, record.timesEnd + 1, record.headEnd - 1))
end

local function listFor(lists, index)
	local list = lists[index]
	if not list then
		list = {}
		lists[index] = list
	end
	return list
end

local function add(index, score, member)
	if index == 'content' or index == 'alias' then return end
	local list = listFor(added, index)
	list[#list + 1] = score or 0
	list[#list + 1] = member
end

local function release(kind, member)
	if isSpread then return call('SADD', shard .. 'released', kind .. '\0' .. member) end
	local name, namespace, key, createdAt = match(member, '^(%Z+)%z(%Z+)%z(%Z+)%z(%Z+)$')
	local index = shard .. kind .. ':' .. name .. '\0' .. namespace
	if kind == 'content' then return call('ZREM', index, key) end
	local owner = shard .. 'e:' .. namespace .. '\0' .. key .. '\0' .. createdAt
	if call('GET', index) == owner then call('UNLINK', index) end
end

local function drop(index, member)
	if index == 'content' or index == 'alias' then
		release(index, member)
	else
		local list = listFor(dropped, index)
		list[#list + 1] = member
	end
end

local function writeIndexes()
	for index, list in pairs(dropped) do call('ZREM', shard .. index, unpack(list)) end
	for index, list in pairs(added) do call('ZADD', shard .. index, unpack(list)) end
end
