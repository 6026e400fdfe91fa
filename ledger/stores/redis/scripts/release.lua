-- Takes a content or an alias from a key that no longer has it, for records in other shards.
--
-- ARGV    'content' or 'alias', its name, key of the record, when it was created

local kind, name, key, createdAt = unpack(ARGV)
local index = shard .. kind .. ':' .. name
if kind == 'content' then
	call('ZREM', index, string.match(key, '^%Z+%z(.+)$'))
elseif call('GET', index) == key .. '\0' .. createdAt then
	call('UNLINK', index)
end
