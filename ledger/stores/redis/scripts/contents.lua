-- Remembers which keys have which contents, for records in other shards.
--
-- ARGV    for each: content, key
-- Output  for each { 1 if that is new else 0, other keys with the content, newest first ... }

local replies = {}

for first = 1, #ARGV, 2 do
	local others, isNew = registerContent(ARGV[first], ARGV[first + 1])
	table.insert(others, 1, isNew)
	replies[#replies + 1] = others
end

return replies
