-- Reads events with all that belongs to them.
--
-- ARGV    ids
-- Output  { now, details ... }; details: false, or { record, duplicates, lastSeen, input, result,
--         (step, output, undo) ..., (gate, content) ... }

local replies = { now }

for i, id in ipairs(ARGV) do
	local event = read(id)
	replies[i + 1] = event and not event.isExpired and details(event) or false
end

return replies
