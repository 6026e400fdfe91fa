-- Lists events of this shard in one of three orders, see `ListQuery` in Store.ts.
--
-- ARGV[1]  the query (JSON); with `taking`, a TakeFilter, only what may be taken now
-- ARGV[2]  '0' at first, then the cursor that it returned, '' for the pages after the first
-- Output   { time, id, record, duplicates, lastSeen, ... }: where to go on, or false twice at the end; the events.
--          Or { cursor }: has to be called again, because there are many fresh events.
--
-- Looks at a bounded number of index entries per call, however few of them are wanted.

local MOST_ENTRIES = 2000
local PAGE = 100

local query = decode(ARGV[1])
local after = query.after
local afterId = after and idOf(after)

-- In the order of bytes. Lua's own `<` follows the locale of the server.
local function precedes(a, b)
	for i = 1, math.min(#a, #b) do
		local x, y = string.byte(a, i), string.byte(b, i)
		if x ~= y then return x < y end
	end
	return #a < #b
end

-- Pages through an index: `fetch(offset)` gives { member, time, member, time ... }, `skip` what is before the start.
local function stream(fetch, skip)
	local page, at, offset = {}, 1, 0
	local function following()
		if at > #page then
			page, at = fetch(offset), 1
			offset = offset + PAGE
			if #page == 0 then return nil end
		end
		at = at + 2
		local id, time = page[at - 2], tonumber(page[at - 1])
		if skip(id, time) then return following() end
		return id, time
	end
	return following
end

local function byKey()
	local index, prefix, afterMember = 'keys:' .. (query.namespace or ''), query.keyPrefix or '', after and after.key
	local isOfIds = query.executionId or query.fingerprint
	if isOfIds then
		index = query.executionId and 'execution:' .. query.executionId or 'fingerprint:' .. query.fingerprint
		prefix = query.namespace and query.namespace .. '\0' .. prefix or ''
		afterMember = afterId
	end
	return stream(function(offset)
		-- No UTF-8 text has the byte 255.
		local members = call('ZRANGEBYLEX', shard .. index, afterMember and '(' .. afterMember or '[' .. prefix,
			'(' .. prefix .. '\255', 'LIMIT', offset, PAGE)
		local page = {}
		for i, member in ipairs(members) do
			page[2 * i - 1], page[2 * i] = isOfIds and member or query.namespace .. '\0' .. member, 0
		end
		return page
	end, function() return false end)
end

local function byDue()
	local index = shard .. 'due:' .. query.state
	return stream(function(offset)
		return call('ZRANGEBYSCORE', index, after and after.time or '-inf', query.taking and now or '+inf',
			'WITHSCORES', 'LIMIT', offset, PAGE)
	end, function(id, time)
		return after and time == after.time and not precedes(afterId, id)
	end)
end

local function byCreated(namespace)
	local newest = query.createdBefore or '+inf'
	if after and (not query.createdBefore or after.time < newest) then newest = after.time end
	local following = stream(function(offset)
		return call('ZREVRANGEBYSCORE', shard .. 'created:' .. namespace, newest, query.createdAfter or '-inf',
			'WITHSCORES', 'LIMIT', offset, PAGE)
	end, function(key, time)
		return after and time == after.time and not precedes(namespace .. '\0' .. key, afterId)
	end)
	return function()
		local key, time = following()
		if key then return namespace .. '\0' .. key, time end
		return nil
	end
end

-- Merges the namespaces. The one whose next event is the newest is last in `sources`.
local function byCreatedInAll()
	local sources = {}
	for rank, namespace in ipairs(call('ZRANGE', shard .. 'namespaces', 0, -1)) do
		local source = { rank = rank, following = byCreated(namespace) }
		source.id, source.time = source.following()
		if source.id then sources[#sources + 1] = source end
	end
	local function isOlder(a, b)
		if a.time ~= b.time then return a.time < b.time end
		return a.rank < b.rank
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

-- Fresh events are in no index. They are `processing`.
local isAboutFresh = query.order ~= 'due' or query.state == 'processing'
local unsettled = isAboutFresh and settle(ARGV[2])
if unsettled then return { unsettled } end

local function isWanted(record)
	return (not query.state or record.state == query.state)
		and (not query.executionId or record.executionId == query.executionId)
		and (not query.fingerprint or record.fingerprint == query.fingerprint)
		and (not query.createdAfter or record.createdAt > query.createdAfter)
		and (not query.createdBefore or record.createdAt < query.createdBefore)
		and (not query.taking or mayBeTaken(record, query.taking))
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

local namespace = query.namespace and query.namespace .. '\0' or ''
local reply = { false, false }
local found = 0

for seen = 1, math.huge do
	local id, time = following()
	if not id then break end
	local event = string.sub(id, 1, #namespace) == namespace and read(id)
	if event and not event.isExpired and isWanted(event.record) then
		reply[#reply + 1] = textOf(event)
		reply[#reply + 1] = event.duplicates
		reply[#reply + 1] = event.lastSeen
		found = found + 1
		if found == query.limit then break end
	end
	if seen == MOST_ENTRIES then
		reply[1], reply[2] = time, id
		break
	end
end

return reply
