-- Brings the indexes up to date with some records that were changed.
--
-- ARGV[1]  see indexes.lua
-- ARGV[2]  about how many records
-- Output   { how many changes were worked off, how many are left }
--
-- A change is `<time> <tally> NUL <key> (NUL <key> ...)` for new records, and `- <key> NUL <head before>` for another
-- one. Whatever the order in which these are worked off: what the record is found by now is entered, what else it was
-- found by before is taken out.

local PAGE = 25

local dirty, most = shard .. 'dirty', tonumber(ARGV[2])
-- A script whose first write needs no memory may go on to write when the memory is full.
call('LTRIM', dirty, 0, -1)
local keys, before, taken = {}, {}, 0

local function touch(key)
	if not before[key] then
		before[key] = {}
		keys[#keys + 1] = key
	end
	return before[key]
end

local function takeEntry(entry)
	local key, counters, head = match(entry, '^%- (%Z+%z%Z+)%z(%Z+)%z(.+)$')
	if key then
		table.insert(touch(key), (placesOf(idOf(key), counters, head)))
		return
	end
	local time, kind, new = match(entry, '^(%d+) (%Z+)%z(.+)$')
	for each in string.gmatch(new, '%Z+%z%Z+') do
		touch(each)
		tally(namespaceOf(each), kind, 1, time)
	end
end

while #keys < most do
	local page = call('LRANGE', dirty, taken, taken + PAGE - 1)
	for _, entry in ipairs(page) do
		takeEntry(entry)
		taken = taken + 1
		if #keys >= most then break end
	end
	if #page < PAGE then break end
end

local texts = #keys > 0 and call('MGET', unpack(keys)) or {}
for i, key in ipairs(keys) do
	local members, scores = {}, {}
	if texts[i] then members, scores = placesOfText(idOf(key), texts[i]) end
	for index, member in pairs(members) do add(index, scores[index], member) end
	for _, old in ipairs(before[key]) do
		for index, member in pairs(old) do
			if members[index] ~= member then drop(index, member) end
		end
	end
end

writeIndexes()
writeTallies()
call('LTRIM', dirty, taken, -1)
return { taken, call('LLEN', dirty) }
