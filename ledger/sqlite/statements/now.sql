-- The store's clock: never that of an n8n node.
--
-- Returns  now
SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now
