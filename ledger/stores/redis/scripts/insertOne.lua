-- A single new record without anything special is what senders wait for, and costs three calls. All else is left to
-- insert.lua, also a text that has its times: the others start with a blank.

if #ARGV == 4 and string.byte(ARGV[4]) == 32 then
	local key = ARGV[3]
	if call('SET', key, now .. ' ' .. now .. ARGV[4], 'NX') then
		call('RPUSH', shard .. 'dirty', now .. ' ' .. ARGV[1] .. '\0' .. key)
		return now
	end
end
