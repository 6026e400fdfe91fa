-- What every script starts with. scripts.ts puts the parts together; keys.ts describes the layout.
--
-- KEYS[1]  the shard: what the names of all its keys start with. It has the one hash tag that all of them share.

local call = redis.call
local shard = KEYS[1]
-- The clock of the store: seconds and microseconds.
local clock = call('TIME')
