-- Removes expired records.
--
-- ARGV[1]  see indexes.lua
-- ARGV[2]  how many at most
-- ARGV[3]  for how many milliseconds they have to be expired
-- Output   how many

local ids = call('ZRANGEBYSCORE', shard .. 'expiry', '-inf', now - ARGV[3], 'LIMIT', 0, ARGV[2])
local purged = 0

for _, id in ipairs(ids) do
	local key = shard .. 'e:' .. id
	local text = call('GET', key)
	if text and isExpired(text, open(text)) then
		forget(key, text)
		purged = purged + 1
	else
		-- It was changed since the indexes were brought up to date, and is entered again when they are.
		drop('expiry', id)
	end
end

writeIndexes()
writeTallies()
return purged
