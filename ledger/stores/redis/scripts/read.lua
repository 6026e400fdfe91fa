-- Reads records.
--
-- ARGV    for each { key, values, history, parts } (JSON); parts: 'all' or names
-- Output  { now, record or false ... }; record: { summary, input, result, history, (part, its external id, its text) ... },
--         with '' for what is missing or not wanted; values have a plus sign before them

-- Far below the number of values that fit on Lua's stack, which is what `unpack` needs.
local VARIADIC = 4000

local function textsOf(parts, names)
	local texts = {}
	for first = 1, #names, VARIADIC do
		local last = math.min(first + VARIADIC - 1, #names)
		for i, text in ipairs(call('HMGET', parts, unpack(names, first, last))) do texts[first + i - 1] = text end
	end
	return texts
end

local function addParts(reply, key, flags, wanted)
	local parts = key .. '\0p'
	local names = wanted == 'all' and call('HKEYS', parts) or wanted
	local hasExternals = find(flags, 'x', 1, true)
	for i, text in ipairs(textsOf(parts, names)) do
		if text then
			reply[#reply + 1] = names[i]
			reply[#reply + 1] = hasExternals and call('HGET', key .. '\0x', names[i]) or ''
			reply[#reply + 1] = text
		end
	end
end

local function read(wanted)
	local key = wanted.key
	local text = call('GET', key)
	if not text then return false end
	local record = open(text)
	local reply = { summaryOf(text, record), '', '', '' }
	if wanted.values or wanted.history then
		local input, result, histories = valuesOf(text, record)
		if wanted.values then
			reply[2], reply[3] = loadValue(input, key, '\0i'), loadValue(result, key, '\0o')
		end
		if wanted.history then
			local older, history = match(text, '^(%Z*)%z(%Z*)$', histories)
			reply[4] = older .. (older ~= '' and history ~= '' and ',' or '') .. history
		end
	end
	if wanted.parts and find(record.flags, 'p', 1, true) then addParts(reply, key, record.flags, wanted.parts) end
	return reply
end

local replies = { now }
for i, argument in ipairs(ARGV) do replies[i + 1] = read(cjson.decode(argument)) end
return replies
