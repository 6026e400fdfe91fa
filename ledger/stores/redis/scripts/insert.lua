-- Inserts records, or returns what is in the way.
--
-- ARGV[1]  the tally that counts them
-- ARGV[2]  { isDelivery, now, deadline, isWide, meetsOnly } (JSON); `now` if texts have their times, because several
--          calls are to have the same; after `deadline`, and with `meetsOnly`, nothing is inserted
-- ARGV     for each: key; text, without `now` what comes behind the times; if `isWide` also: input and result that have
--          keys of their own, or ''; content, or ''; name of its alias, or ''
-- Output   now; or { now, (position, key, summary, result) of what is in the way or (position, key, '', '') of what has
--          the same content ... }; false after `deadline`

local kind, options = ARGV[1], cjson.decode(ARGV[2])
local stride = options.isWide and 6 or 2
local time = options.now or now
local start = options.now and '' or now .. ' ' .. now

if options.deadline and now > options.deadline then return false end

-- How many keys one entry of `dirty` has.
local KEYS_PER_ENTRY = 10

local function enter(keys)
	local entries, before = {}, time .. ' ' .. kind .. '\0'
	for first = 1, #keys, KEYS_PER_ENTRY do
		local last = math.min(first + KEYS_PER_ENTRY - 1, #keys)
		entries[#entries + 1] = before .. table.concat(keys, '\0', first, last)
	end
	call('RPUSH', shard .. 'dirty', unpack(entries))
end

-- What has to be written is at the start: as a rule only these few bytes are.
local function countDelivery(key, text, record)
	local counters = now .. ' ' .. record.createdAt .. ' ' .. record.revision .. ' ' .. (record.duplicates + 1) .. ' '
		.. record.flags .. ' '
	if #counters == record.from - 1 then
		call('SETRANGE', key, 0, counters)
	else
		call('SET', key, counters .. sub(text, record.from))
	end
	tally(namespaceOf(key), 'met_' .. headOf(text, record).state, 1)
	return counters .. sub(text, record.from, record.bodyEnd - 1)
end

local replies = { now }

local function reply(position, key, summary, result)
	local last = #replies
	replies[last + 1], replies[last + 2] = position - 1, match(key, '^%Z+%z(.+)$')
	replies[last + 3], replies[last + 4] = summary, result
end

local function meet(position, key, text)
	local record = open(text)
	local isCounted = options.isDelivery and not isExpired(text, record)
	local _, result = valuesOf(text, record)
	reply(position, key, isCounted and countDelivery(key, text, record) or summaryOf(text, record),
		loadValue(result, key, '\0o'))
end

-- Another record that has the alias. If there is none, it belongs to this key from now on.
local function findAlias(alias, key)
	local pointer = shard .. 'alias:' .. alias
	local other = match(call('GET', pointer) or '', '^%Z+%z%Z+')
	local text = other and other ~= key and call('GET', other)
	if text and headOf(text, open(text)).alias == match(alias, '^%Z+') then return other, text end
	call('SET', pointer, key .. '\0' .. time)
	return nil
end

-- The newest live record that has the content.
local function findSame(content, key)
	local fingerprint, namespace = match(content, '^(%Z+)%z(.+)$')
	for _, otherKey in ipairs((registerContent(content, match(key, '^%Z+%z(.+)$')))) do
		local other = shard .. 'e:' .. namespace .. '\0' .. otherKey
		local text = call('GET', other)
		local record = text and open(text)
		if record and not isExpired(text, record) and headOf(text, record).fingerprint == fingerprint then return other end
	end
	return nil
end

-- What is more than one string, at once, because the next one may look for it.
local function insertWide(position, key, text, first)
	local input, result, content, alias = unpack(ARGV, first + 2, first + 5)
	if alias ~= '' then
		local other, found = findAlias(alias, key)
		if other then
			meet(position, other, found)
			return false
		end
	end
	call('SET', key, text)
	if input ~= '' then call('SET', key .. '\0i', input) end
	if result ~= '' then call('SET', key .. '\0o', result) end
	local same = content ~= '' and findSame(content, key)
	if same then reply(position, same, '', '') end
	return true
end

local keys = {}
for first = 3, #ARGV, stride do keys[#keys + 1] = ARGV[first] end

if options.now and stride == 2 and call('MSETNX', unpack(ARGV, 3)) == 1 then
	enter(keys)
	return now
end

local texts, inserted = {}, {}
for i, found in ipairs(call('MGET', unpack(keys))) do
	local key, first = keys[i], 3 + (i - 1) * stride
	if found then
		meet(i, key, found)
	elseif not options.meetsOnly then
		local text = start .. ARGV[first + 1]
		if not options.isWide then
			texts[#texts + 1], texts[#texts + 2] = key, text
			inserted[#inserted + 1] = key
		elseif insertWide(i, key, text, first) then
			inserted[#inserted + 1] = key
		end
	end
end

if #texts > 0 then call('MSET', unpack(texts)) end
if #inserted > 0 then enter(inserted) end
writeTallies()
return #replies > 1 and replies or now
