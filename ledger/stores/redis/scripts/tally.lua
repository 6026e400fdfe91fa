-- Counts, gathered and written at the end of a script.

local DAY = 24 * 60 * 60 * 1000
local tallies = {}

local function tally(namespace, kind, n, time)
	local own = tallies[namespace]
	if not own then
		own = {}
		tallies[namespace] = own
	end
	local field = math.floor((time or now) / DAY) .. '|' .. kind
	own[field] = (own[field] or 0) + n
end

local function writeTallies()
	for namespace, own in pairs(tallies) do
		for field, n in pairs(own) do
			-- Only the first count of a kind and day makes sure that the namespace is known.
			if call('HINCRBY', shard .. 'tally:' .. namespace, field, n) == n then
				call('ZADD', shard .. 'namespaces', 0, namespace)
			end
		end
	end
end
