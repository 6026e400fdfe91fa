-- New records of one string each are what senders wait for, and cost three calls. As soon as one of them is not new,
-- all is left to insert.lua. What these two need has a place before its functions, which take time to make.
--
-- Texts start with a blank as long as they do not have their times.

if string.byte(ARGV[4]) == 32 then
	local start = now .. ' ' .. now
	for i = 4, #ARGV, 2 do ARGV[i] = start .. ARGV[i] end
end

local isNew
if #ARGV == 4 then
	isNew = call('SET', ARGV[3], ARGV[4], 'NX')
else
	isNew = call('MSETNX', unpack(ARGV, 3)) == 1
end

if isNew then
	-- The same as in a record: the time at which it was created.
	local time = string.match(ARGV[4], '^%d+')
	-- Several keys make one entry, but not so many that index.lua could not stop in time.
	for first = 3, #ARGV, 20 do
		local keys = {}
		for i = first, math.min(first + 18, #ARGV), 2 do keys[#keys + 1] = ARGV[i] end
		call('RPUSH', shard .. 'dirty', time .. ' ' .. ARGV[1] .. '\0' .. table.concat(keys, '\0'))
	end
	return now
end
