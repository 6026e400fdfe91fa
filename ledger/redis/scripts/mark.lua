-- Raises the marks of objects and says which commands are behind them. Before the claims, in its own call,
-- because an object and its events are in different shards.
--
-- ARGV    for each command: namespace NUL object, version, retention in ms
-- Output  for each command 1 if it is stale, else 0
--
-- Versions stay text: Lua prints numbers with 14 digits.

local replies = {}

for first = 1, #ARGV, 3 do
	local object, version, retention = unpack(ARGV, first, first + 2)
	local mark = call('GET', shard .. 'mark:' .. object)
	local isStale = mark and tonumber(mark) > tonumber(version)
	if not isStale then call('SET', shard .. 'mark:' .. object, version, 'PX', retention) end
	replies[#replies + 1] = isStale and 1 or 0
end

return replies
