-- Reads small texts, and forgets the names of those that are expired.
--
-- ARGV[1]  what their names start with
-- Output   { name, text ... } in the order of the names

local replies = {}

for _, name in ipairs(call('ZRANGEBYLEX', shard .. 'entries', '[' .. ARGV[1], '(' .. ARGV[1] .. '\255')) do
	local text = call('GET', shard .. 'entry:' .. name)
	if text then
		replies[#replies + 1] = name
		replies[#replies + 1] = text
	else
		call('ZREM', shard .. 'entries', name)
	end
end

return replies
