-- Every script starts with this. scripts.ts puts the parts together; keys.ts describes the layout.
--
-- KEYS[1]  the shard: what the names of all its keys start with. All of them share one hash tag.

local call = redis.call
local shard = KEYS[1]
local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
