-- Inserts records, or returns what is in the way.
--
-- ARGV[1]  the tally that counts them
-- ARGV[2]  { isDelivery, isWide, deadline, meetsOnly, alias } (JSON); after `deadline`, and with `meetsOnly`, nothing is
--          inserted; with `alias`, only what has that is in the way
-- ARGV     for each: key; text, maybe without its first two times; if `isWide` also: input and result that have keys of
--          their own, or ''; content, or ''; name of its alias, or ''
-- Output   now; or { now, (position, key, summary, result) of what is in the way or (position, key, '', '') of what has
--          the same content ... }; false after `deadline`

local options = cjson.decode(ARGV[2])
local stride = options.isWide and 6 or 2

if options.deadline and now > options.deadline then return false end

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
local function findAlias(alias, key, createdAt)
	local pointer = shard .. 'alias:' .. alias
	local other = match(call('GET', pointer) or '', '^%Z+%z%Z+')
	local text = other and other ~= key and call('GET', other)
	if text and headOf(text, open(text)).alias == match(alias, '^%Z+') then return other, text end
	call('SET', pointer, key .. '\0' .. createdAt)
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

-- What is more than one string. False if the alias is in the way.
local function insertWide(position, key, text, createdAt, first)
	local input, result, content, alias = unpack(ARGV, first + 2, first + 5)
	if alias ~= '' then
		local other, found = findAlias(alias, key, createdAt)
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

for i, found in ipairs(call('MGET', unpack(keys))) do
	local key, first = keys[i], 3 + (i - 1) * stride
	local isMet = found and (not options.alias or headOf(found, open(found)).alias == options.alias)
	if isMet then
		meet(i, key, found)
	elseif not options.meetsOnly then
		local text = ARGV[first + 1]
		if string.byte(text) == 32 then text = now .. ' ' .. now .. text end
		local createdAt = match(text, '^%d+')
		if not options.isWide then call('SET', key, text) end
		if not options.isWide or insertWide(i, key, text, createdAt, first) then
			call('RPUSH', shard .. 'dirty', createdAt .. ' ' .. ARGV[1] .. '\0' .. key)
		end
	end
end

writeTallies()
return #replies > 1 and replies or now
