-- Removes what belongs to a record: values, parts, and what the parts are found by.

local function clear(key, flags)
	call('UNLINK', key .. '\0i', key .. '\0o', key .. '\0p')
	if not find(flags, 'x', 1, true) then return end
	local externals = call('HGETALL', key .. '\0x')
	for i = 1, #externals, 2 do
		call('ZREM', shard .. 'external', externals[i + 1] .. '\0' .. idOf(key) .. '\0' .. externals[i])
	end
	call('UNLINK', key .. '\0x')
end
