-- Records events as done that were handled elsewhere.
--
-- ARGV    for each command: id, namespace, key, fingerprint or '', retention, the start of the record (JSON),
--         1 if it says when it was done else '', result or ''
-- Output  for each command 1 if it was imported, 0 if the event exists

local WIDTH = 8
local nowText = string.format('%.0f', now)
local ENTRY = '{"at":' .. nowText .. ',"kind":"imported","attempt":0}'
local replies = {}

sweep(20 + #ARGV / WIDTH)
for first = 1, #ARGV, WIDTH do
	local id, namespace, key, fingerprint, retention, start, isDated, result =
		unpack(ARGV, first, first + WIDTH - 1)
	local isNew = not load(id)
	if isNew then
		local expiresAt = now + retention
		local record = string.sub(start, 1, -2)
			.. ',"entries":1,"createdAt":' .. nowText
			.. ',"claimedAt":' .. nowText
			.. ',"expiresAt":' .. string.format('%.0f', expiresAt)
			.. (isDated == '' and ',"doneAt":' .. nowText or '')
			.. '}'
		local event = shard .. 'e:' .. id
		call('HSET', event, 'r', record, 'h:1', ENTRY)
		if result ~= '' then call('HSET', event, 'o', result) end
		call('PEXPIREAT', event, expiresAt)
		enter('created:' .. namespace, now, key)
		enter('keys:' .. namespace, 0, key)
		if fingerprint ~= '' then enter('fingerprint:' .. fingerprint, 0, id) end
		enter('expiry', expiresAt, remains({
			namespace = namespace,
			key = key,
			fingerprint = fingerprint,
			createdAt = now,
		}))
		count(namespace, 'imported')
	end
	replies[#replies + 1] = isNew and 1 or 0
end

flush()
return replies
