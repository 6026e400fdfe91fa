-- Lists records of this shard, a bounded number of index entries per call.
--
-- ARGV[1]  a RecordQuery (JSON) and, for the order `key`, the `index` and the `value` in it that records are found by
-- ARGV[2]  how many index entries to look at
-- Output   { how many were looked at, 1 if there are more else 0, time and id of the last, (id, summary) ... }

local PAGE = 200

local query, most = cjson.decode(ARGV[1]), tonumber(ARGV[2])
local after = query.after
local afterId = after and after.namespace .. '\0' .. after.key

-- In the order of bytes. Lua's own `<` follows the locale of the server.
local function precedes(a, b)
	for i = 1, math.min(#a, #b) do
		local x, y = string.byte(a, i), string.byte(b, i)
		if x ~= y then return x < y end
	end
	return #a < #b
end

-- Lua itself prints numbers with 14 digits.
local function text(time)
	return string.format('%.0f', time)
end

-- Goes through the pages that `fetch` gives, each { member, score, member, score ... }.
local function entriesOf(fetch)
	local page, at = {}, 1
	return function()
		if at > #page then page, at = fetch(page[#page - 1]), 1 end
		at = at + 2
		return page[at - 2], tonumber(page[at - 1])
	end
end

-- Members are a value and an id, and a part of the record may follow.
local function byKey()
	local index, value = shard .. query.index, query.value and query.value .. '\0' or ''
	local prefix = value .. (query.namespace and query.namespace .. '\0' .. (query.keyPrefix or '') or '')
	local from = afterId and '(' .. value .. afterId .. '\0\255' or '[' .. prefix
	local following = entriesOf(function(last)
		-- No UTF-8 text has the byte 255.
		local members = call('ZRANGEBYLEX', index, last and '(' .. last or from, '(' .. prefix .. '\255', 'LIMIT', 0, PAGE)
		local page = {}
		for i, member in ipairs(members) do page[2 * i - 1], page[2 * i] = member, 0 end
		return page
	end)
	local known
	local function nextId()
		local member = following()
		local id = member and match(member, '^%Z+%z%Z+', #value + 1)
		if id and id == known then return nextId() end
		known = id
		return id, 0
	end
	return nextId
end

-- How many entries have a time before this one, or this time and a member for which `isBefore`.
local function rank(index, time, isBefore)
	local low, high = call('ZCOUNT', index, '-inf', '(' .. text(time)), call('ZCOUNT', index, '-inf', text(time))
	while low < high do
		local middle = math.floor((low + high) / 2)
		if isBefore(call('ZRANGE', index, middle, middle)[1]) then low = middle + 1 else high = middle end
	end
	return low
end

local function byRank(command, index, start)
	local first = start - PAGE
	return entriesOf(function()
		first = first + PAGE
		return call(command, index, first, first + PAGE - 1, 'WITHSCORES')
	end)
end

local function byDue()
	local index = shard .. 'due:' .. query.state
	local start = after and rank(index, after.time, function(id) return not precedes(afterId, id) end) or 0
	local following = byRank('ZRANGE', index, start)
	return function()
		local id, time = following()
		if id and query.dueBefore and time > query.dueBefore then return nil end
		return id, time
	end
end

local function byCreated(namespace)
	local index, prefix = shard .. 'created:' .. namespace, namespace .. '\0'
	local size = call('ZCARD', index)
	local left = size
	if after then left = rank(index, after.time, function(key) return precedes(prefix .. key, afterId) end) end
	if query.createdBefore then
		left = math.min(left, call('ZCOUNT', index, '-inf', '(' .. text(query.createdBefore)))
	end
	local following = byRank('ZREVRANGE', index, size - left)
	return function()
		local key, time = following()
		if not key or query.createdAfter and time <= query.createdAfter then return nil end
		return prefix .. key, time
	end
end

-- Merges the namespaces. The one whose next record is the newest is last in `sources`.
local function byCreatedInAll()
	local sources = {}
	local function isOlder(a, b)
		if a.time ~= b.time then return a.time < b.time end
		return a.rank < b.rank
	end
	for rank, namespace in ipairs(call('ZRANGE', shard .. 'namespaces', 0, -1)) do
		local source = { rank = rank, following = byCreated(namespace) }
		source.id, source.time = source.following()
		if source.id then sources[#sources + 1] = source end
	end
	table.sort(sources, isOlder)
	return function()
		local source = table.remove(sources)
		if not source then return nil end
		local id, time = source.id, source.time
		source.id, source.time = source.following()
		if source.id then
			local place = #sources + 1
			while place > 1 and isOlder(source, sources[place - 1]) do place = place - 1 end
			table.insert(sources, place, source)
		end
		return id, time
	end
end

local namespacePrefix = query.namespace and query.namespace .. '\0' or ''

-- The summary of a record that the query asks for. The indexes may be a moment behind.
local function wanted(id)
	if sub(id, 1, #namespacePrefix) ~= namespacePrefix then return nil end
	if query.keyPart and not find(id, query.keyPart, find(id, '\0', 1, true) + 1, true) then return nil end
	local found = call('GET', shard .. 'e:' .. id)
	local record = found and open(found)
	if not record or isExpired(found, record) then return nil end
	local head, createdAt = headOf(found, record), tonumber(record.createdAt)
	local isWanted = (not query.state or head.state == query.state)
		and (not query.executionId or head.executionId == query.executionId)
		and (not query.fingerprint or head.fingerprint == query.fingerprint)
		and (not query.createdAfter or createdAt > query.createdAfter)
		and (not query.createdBefore or createdAt < query.createdBefore)
	return isWanted and summaryOf(found, record)
end

local following
if query.order == 'key' then
	following = byKey()
elseif query.order == 'due' then
	following = byDue()
elseif query.namespace then
	following = byCreated(query.namespace)
else
	following = byCreatedInAll()
end

local reply = { 0, 1, '', '' }
for seen = 1, most do
	local id, time = following()
	if not id then
		reply[2] = 0
		break
	end
	reply[1], reply[3], reply[4] = seen, text(time), id
	local summary = wanted(id)
	if summary then
		reply[#reply + 1] = id
		reply[#reply + 1] = summary
		if #reply == 4 + 2 * query.limit then break end
	end
end
return reply
