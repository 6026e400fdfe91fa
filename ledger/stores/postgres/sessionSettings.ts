/**
 * How the server has to work for the ledger. Each statement looks records up by their keys, and its plan is made once per connection,
 * maybe while the tables are nearly empty. Then the planner would read a table whole, and keep doing that when the table has grown.
 */
const SETTINGS: Record<string, string> = {
	enable_seqscan: 'off',
	enable_bitmapscan: 'off',
	enable_hashjoin: 'off',
	enable_mergejoin: 'off',
	enable_sort: 'off',
	jit: 'off',
	plan_cache_mode: 'force_generic_plan',
	// A statement that waits for a locked record longer than this is tried again.
	lock_timeout: '3s',
	default_transaction_isolation: 'read committed',
	// A version mark comes back as exactly the number that it was.
	extra_float_digits: '1',
};

/** As the startup parameter `options`. */
export const SESSION_OPTIONS = Object.entries(SETTINGS)
	.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
	.join(' ');

/** For one transaction, where a pooler lends the connection to others afterwards. */
export const BEGIN_WITH_SETTINGS = [
	'BEGIN ISOLATION LEVEL READ COMMITTED',
	...Object.entries(SETTINGS).map(([name, value]) => `SET LOCAL ${name} = '${value}'`),
].join('; ');

/** Whether a connection has all of them: some poolers ignore `options` without a word. */
export const HAS_SETTINGS = `SELECT ${Object.entries(SETTINGS)
	.map(([name, value]) => `current_setting('${name}') = '${value}'`)
	.join(' AND ')} AS "hasSettings"`;
