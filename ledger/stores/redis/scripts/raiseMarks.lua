-- Raises the marks of objects, and says and counts who is behind them.
--
-- ARGV    for each: namespace NUL object, version, retention in ms
-- Output  for each 1 if it is stale, else 0
--
-- Versions stay text: Lua prints numbers with 14 digits.

local replies = {}

for first = 1, #ARGV, 3 do
	local key, version, retention = shard .. 'mark:' .. ARGV[first], ARGV[first + 1], ARGV[first + 2]
	local mark = call('GET', key)
	local isStale = mark and tonumber(mark) > tonumber(version)
	local lifetime = math.max(retention, call('PTTL', key))
	if isStale then
		call('PEXPIRE', key, lifetime)
		tally(string.match(ARGV[first], '^%Z+'), 'stale', 1)
	else
		call('SET', key, version, 'PX', lifetime)
	end
	replies[#replies + 1] = isStale and 1 or 0
end

writeTallies()
return replies
