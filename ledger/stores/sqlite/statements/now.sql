-- By the clock of this machine, which all processes that use the file share.
SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now
