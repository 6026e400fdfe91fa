-- Remembers under which key a content came last, and says under which other key it came before.
--
-- ARGV    retention in ms; for each command: where its content is remembered, key NUL
-- Output  { position, other key, position, other key ... }; of most there is none
--
-- Two keys are kept, so that the repetition of a call gets the same answer.

local replies = {}
local retention = ARGV[1]

for first = 2, #ARGV, 2 do
	local content, key = ARGV[first], ARGV[first + 1]
	local found = call('SET', content, key, 'PX', retention, 'GET')
	if found then
		local last, before = string.match(found, '^(%Z*%z)(%Z*)$')
		local other = last == key and before or string.sub(last, 1, -2)
		call('SET', content, key .. other, 'PX', retention)
		if other ~= '' then
			replies[#replies + 1] = (first - 2) / 2
			replies[#replies + 1] = other
		end
	end
end

return replies
