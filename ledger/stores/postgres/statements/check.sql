SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
	current_setting('synchronous_commit') AS "synchronousCommit",
	current_setting('transaction_read_only')::boolean AS "isReadOnly"
