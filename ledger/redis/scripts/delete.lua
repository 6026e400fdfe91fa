-- Forgets events, whatever their state.
--
-- ARGV    ids
-- Output  for each 1 or 0: whether there was one

local replies = {}

for i, id in ipairs(ARGV) do
	local event = load(id)
	replies[i] = event and 1 or 0
	if event then
		local record = event.record
		-- In the indexes first, so that all of it is taken out of them in the same way.
		event.changed = true
		save(event)
		flush()
		if record.dueAt then call('ZREM', shard .. 'due:' .. record.state, id) end
		forget(remains(record))
		count(record.namespace, 'deleted')
	end
end

flush()
return replies
