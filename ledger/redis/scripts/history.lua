-- Reads what happened to events.
--
-- ARGV    ids
-- Output  for each a list of entries (JSON), oldest first

local function history(id)
	local event = read(id)
	if not event or event.isExpired then return {} end
	if event.isFresh then return { event.history } end
	local fields = {}
	local newest = event.record.entries
	for i = math.max(1, newest - HISTORY_LIMIT + 1), newest do
		fields[#fields + 1] = 'h:' .. i
	end
	return call('HMGET', event.key, unpack(fields))
end

local replies = {}

for i, id in ipairs(ARGV) do replies[i] = history(id) end

return replies
