import type { Row } from '../Report';

/** What each of them keeps and promises for a key, read in the sources of the versions that are pinned beside this file. */
export const FACTS: Row[] = [
	{
		'for each key': 'record',
		'this package':
			'state, attempt, execution, fingerprint, input until done, result, number of repeats',
		Powertools: 'state, expiry of lease and record, result',
		'node-idempotency': 'state, hash of the body, response',
		DBOS: 'state, attempts, executor, input, result',
	},
	{
		'for each key': 'history of its changes',
		'this package': 'yes',
		Powertools: 'no',
		'node-idempotency': 'no',
		DBOS: 'no; times of creation, last change and end',
	},
	{
		'for each key': 'steps inside the work',
		'this package': 'their begin, end and output',
		Powertools: 'no',
		'node-idempotency': 'no',
		DBOS: 'their end and output',
	},
	{
		'for each key': 'claim',
		'this package': 'one atomic statement or script',
		Powertools: '`SET … NX`',
		'node-idempotency': '`SET … NX`',
		DBOS: '`INSERT … ON CONFLICT` in a transaction',
	},
	{
		'for each key': 'a start while the work is under way',
		'this package': 'outcome `in_progress`',
		Powertools: 'error',
		'node-idempotency': 'error, or waits (option)',
		DBOS: 'waits for the result, asks every second',
	},
	{
		'for each key': 'when the worker dies',
		'this package': 'lease by the store’s clock; then review or takeover',
		Powertools: 'lease until Lambda’s time-out, by the workers’ clocks; then takeover',
		'node-idempotency': 'stays “in progress” until the record expires',
		DBOS: 'no lease; run again when its executor starts again, or by Conductor, its service',
	},
	{
		'for each key': 'a worker that comes back after a takeover (fencing)',
		'this package': 'refused',
		Powertools: 'overwrites the result',
		'node-idempotency': 'overwrites the result',
		DBOS: 'refused',
	},
	{
		'for each key': 'when the work fails',
		'this package': 'kept as failed or for review',
		Powertools: 'record deleted',
		'node-idempotency': 'what the caller stores',
		DBOS: 'error kept and returned',
	},
	{
		'for each key': 'the same key with other content',
		'this package': 'outcome `conflict`, kept with the event',
		Powertools: 'is another key, or an error (option)',
		'node-idempotency': 'error',
		DBOS: 'first result returned',
	},
	{
		'for each key': 'what a repeat writes',
		'this package': 'its count and time',
		Powertools: 'nothing',
		'node-idempotency': 'nothing',
		DBOS: 'nothing (rolled back)',
	},
	{
		'for each key': 'kept for (default)',
		'this package': '30 days after it is done',
		Powertools: '1 hour',
		'node-idempotency': '24 hours',
		DBOS: 'until it is deleted',
	},
];
