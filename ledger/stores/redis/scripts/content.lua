-- Remembers that a key has a content, and says which other keys have or had it, newest first, no more than ten of them.

local function registerContent(content, key)
	local index = shard .. 'content:' .. content
	local newest = call('ZREVRANGE', index, 0, 10, 'WITHSCORES')
	local others = {}
	for i = 1, #newest, 2 do
		if newest[i] ~= key then others[#others + 1] = newest[i] end
	end
	-- Microseconds, and more than the last one's, so that the order is that of the calls and of the items in a call.
	local time = math.max(clock[1] * 1000000 + clock[2], (newest[2] or 0) + 1)
	return others, call('ZADD', index, time, key)
end
