-- Remembers under which key a content came last, and says under which other key it came before.
--
-- ARGV    for each command: namespace NUL fingerprint, key, retention in ms
-- Output  for each command the other key, or ''
--
-- Two keys are kept, so that the repetition of a call gets the same answer.

local replies = {}

for first = 1, #ARGV, 3 do
	local key, retention = ARGV[first + 1], ARGV[first + 2]
	local content = shard .. 'content:' .. ARGV[first]
	local found, other = call('SET', content, key .. '\0', 'PX', retention, 'GET'), ''
	if found then
		local last, before = string.match(found, '^(%Z*)%z(%Z*)$')
		other = last == key and before or last
		call('SET', content, key .. '\0' .. other, 'PX', retention)
	end
	replies[#replies + 1] = other
end

return replies
