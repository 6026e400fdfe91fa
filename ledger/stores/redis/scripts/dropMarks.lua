-- Removes marks that still have a version.
--
-- ARGV  for each: namespace NUL object, version

for first = 1, #ARGV, 2 do
	local key = shard .. 'mark:' .. ARGV[first]
	local mark = call('GET', key)
	if mark and tonumber(mark) == tonumber(ARGV[first + 1]) then call('UNLINK', key) end
end
