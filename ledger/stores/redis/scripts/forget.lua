-- Removes a record with all that belongs to it.

local function forget(key, text)
	call('UNLINK', key)
	clear(key, open(text).flags)
	for index, member in pairs((placesOfText(idOf(key), text))) do drop(index, member) end
	tally(namespaceOf(key), 'purged', 1)
end
