-- Remembers under which key a content came last, and says under which other key it came before.
--
-- ARGV    for each command: namespace NUL fingerprint, key, retention in ms
-- Output  for each command the other key, or ''
--
-- Two keys are kept, so that the repetition of a call gets the same answer.

local replies = {}

for first = 1, #ARGV, 3 do
	local content, key, retention = unpack(ARGV, first, first + 2)
	local found = call('GET', shard .. 'content:' .. content)
	local last, other = string.match(found or '\0', '^(%Z*)%z(%Z*)$')
	if last ~= key then other = last end
	call('SET', shard .. 'content:' .. content, key .. '\0' .. other, 'PX', retention)
	replies[#replies + 1] = other
end

return replies
