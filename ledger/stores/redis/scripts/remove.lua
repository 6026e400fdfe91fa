-- Removes records, whatever their state.
--
-- ARGV[1]  see indexes.lua
-- ARGV     for each: key, 1 if it stays unless it is expired else 0
-- Output   for each 1 or 0: whether it was removed

local replies = {}

for first = 2, #ARGV, 2 do
	local key, onlyIfExpired = ARGV[first], ARGV[first + 1] == '1'
	local text = call('GET', key)
	local isRemoved = text and (not onlyIfExpired or isExpired(text, open(text)))
	if isRemoved then
		forget(key, text)
		if not onlyIfExpired then tally(namespaceOf(key), 'deleted', 1) end
	end
	replies[#replies + 1] = isRemoved and 1 or 0
end

writeIndexes()
writeTallies()
return replies
