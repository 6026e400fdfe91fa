-- Reads what happened to an event.
--
-- ARGV[1]  id
-- Output   the entries (JSON), oldest first

local event = read(ARGV[1])
if not event or event.isExpired then return {} end
if event.isFresh then return { event.history } end

local fields = {}
local newest = event.record.entries
for i = math.max(1, newest - HISTORY_LIMIT + 1), newest do
	fields[#fields + 1] = 'h:' .. i
end
return call('HMGET', event.key, unpack(fields))
