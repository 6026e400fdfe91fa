-- Settles some fresh events, so few that nobody notices.
--
-- ARGV[1]  '0' at first, then the cursor that it returned
-- Output   { cursor, how many are still fresh }

local following = settle(ARGV[1], 50) or '0'
return { following, call('HLEN', shard .. 'fresh') }
