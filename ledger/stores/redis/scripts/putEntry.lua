-- Keeps a small text.
--
-- ARGV    name, text, { expiresAfterMs, onlyIfMissing } (JSON)
-- Output  the text that is kept

local name, options = ARGV[1], cjson.decode(ARGV[3])
local key = shard .. 'entry:' .. name

if not options.onlyIfMissing or call('EXISTS', key) == 0 then
	call('SET', key, ARGV[2])
	if options.expiresAfterMs then call('PEXPIRE', key, options.expiresAfterMs) end
end
call('ZADD', shard .. 'entries', 0, name)
return call('GET', key)
