-- Writes records that still have the expected revision.
--
-- ARGV    for each: the fields of SWAP_FIELDS in swap.ts, whose names in capitals are their places; then, for each
--         part: name, external id or '', text; then the input and the result, if they are to have keys of their own
-- Output  { now, 'duplicates lastSeenAt' or false ... }

local NOTHING = {}
local written, entries = {}, {}

-- What is stored of a value from now on; `at` is where a large one is.
local function changed(stored, change, key, at)
	if change == '' then return stored end
	if change == '@' then call('SET', key, ARGV[at]) elseif stored == '@' then call('UNLINK', key) end
	return change == '-' and '' or change
end

local function withFlag(flags, flag)
	if find(flags, flag, 1, true) then return flags end
	return flags == '-' and flag or flags .. flag
end

-- A part gets another external id. Returns the flags that the record has then.
local function putExternal(key, name, external, flags)
	local externals = key .. '\0x'
	local was = find(flags, 'x', 1, true) and call('HGET', externals, name)
	if was then
		call('ZREM', shard .. 'external', was .. '\0' .. idOf(key) .. '\0' .. name)
		call('HDEL', externals, name)
	end
	if external == '' then return flags end
	call('HSET', externals, name, external)
	call('ZADD', shard .. 'external', 0, external .. '\0' .. idOf(key) .. '\0' .. name)
	return withFlag(flags, 'x')
end

-- Writes `count` parts from this argument on. Returns the flags that the record has then.
local function putParts(key, at, count, flags)
	for first = at, at + 3 * (count - 1), 3 do
		local name, external = ARGV[first], ARGV[first + 1]
		call('HSET', key .. '\0p', name, ARGV[first + 2])
		if external ~= '' or find(flags, 'x', 1, true) then flags = putExternal(key, name, external, flags) end
	end
	return withFlag(flags, 'p')
end

-- What comes behind the body: values, and histories without what is appended.
local function keepRest(text, old, key, at, options)
	local values = ARGV[at + VALUES]
	if values == '' and not options.rotate then return '', sub(text, old.bodyEnd + 1) end
	local input, result, start = valuesOf(text, old)
	local histories = sub(text, start)
	if options.rotate then histories = sub(histories, find(histories, '\0', 1, true) + 1) .. '\0' end
	local inputChange, resultChange = match(values, '^(%Z*)%z?(%Z*)$')
	local last = at + SWAP_FIELDS + ARGV[at + FOLLOWING] - 1
	local beforeResult = resultChange == '@' and last - 1 or last
	return changed(input, inputChange, key .. '\0i', beforeResult) .. '\0'
		.. changed(result, resultChange, key .. '\0o', last) .. '\0', histories
end

local function swap(text, at)
	local key, createdAt, head = ARGV[at + KEY], ARGV[at + CREATEDAT], ARGV[at + HEAD]
	local old = text and open(text)
	if not old or old.revision ~= ARGV[at + REVISION] then return false end
	local options = ARGV[at + OPTIONS] == '' and NOTHING or cjson.decode(ARGV[at + OPTIONS])
	local duplicates, lastSeenAt, flags = old.duplicates, options.lastSeenAt or old.lastSeenAt, old.flags
	if options.duplicates then duplicates = duplicates + options.duplicates end
	local parts = math.floor(ARGV[at + FOLLOWING] / 3)
	if parts > 0 then flags = putParts(key, at + SWAP_FIELDS, parts, flags) end
	if find(text, head, old.from, true) ~= old.from or createdAt ~= old.createdAt then
		entries[#entries + 1] = '- ' .. key .. '\0' .. old.createdAt .. ' ' .. old.flags .. ' ' .. sub(text, old.from, old.headEnd - 1)
	end
	local values, histories = keepRest(text, old, key, at, options)
	local append = ARGV[at + APPEND]
	local comma = (append == '' or string.byte(histories, -1) == 0) and '' or ','
	written[#written + 1] = key
	written[#written + 1] = lastSeenAt .. ' ' .. createdAt .. ' ' .. ARGV[at + NEXT] .. ' ' .. duplicates .. ' ' .. flags .. ' '
		.. head .. ARGV[at + BODY] .. '\0' .. values .. histories .. comma .. append
	for kind, n in string.gmatch(ARGV[at + COUNTS], '(%S+) (%-?%d+)') do tally(namespaceOf(key), kind, n) end
	return duplicates .. ' ' .. lastSeenAt
end

local places, keys, at = {}, {}, 1
while at < #ARGV do
	places[#places + 1], keys[#keys + 1] = at, ARGV[at + KEY]
	at = at + SWAP_FIELDS + ARGV[at + FOLLOWING]
end
local replies = { now }
for i, text in ipairs(call('MGET', unpack(keys))) do replies[i + 1] = swap(text, places[i]) end

if #written > 0 then call('MSET', unpack(written)) end
if #entries > 0 then call('RPUSH', shard .. 'dirty', unpack(entries)) end
writeTallies()
return replies
