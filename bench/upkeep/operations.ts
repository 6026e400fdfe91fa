import { encodeCursor } from '../../ledger/cursor';
import type { Ledger } from '../../ledger/Ledger';
import type { EventSummary } from '../../ledger/records';
import { listQuery } from '../../ledger/requests';
import { MANY_ATTEMPTS, QUIET } from './fill';

export interface Operation {
	name: string;
	run(ledger: Ledger, middle: EventSummary): Promise<unknown>;
}

const KINDS = ['stuck', 'failed', 'review', 'expired_gate'] as const;

/** So short that the next call finds the same work. */
const TAKE = { kinds: [...KINDS], by: 'bench', visibilityMs: 1 };

export async function takeOfQuiet(ledger: Ledger): Promise<unknown> {
	return await ledger.take({ ...TAKE, namespace: QUIET });
}

/** What people and triggers ask a ledger for. `middle` is an event that half of all are newer than. */
export const OPERATIONS: Operation[] = [
	{ name: 'get', run: (ledger, middle) => ledger.get([middle]) },
	{ name: 'list', run: (ledger) => ledger.list({}) },
	{
		name: 'list, a page deep down',
		run: (ledger, middle) => ledger.list({ cursor: encodeCursor(listQuery({}), middle) }),
	},
	{
		name: 'list of a namespace, deep down',
		run: (ledger, middle) =>
			ledger.list({
				namespace: middle.namespace,
				cursor: encodeCursor(listQuery({ namespace: middle.namespace }), middle),
			}),
	},
	{ name: 'list of what failed', run: (ledger) => ledger.list({ state: 'failed' }) },
	{
		name: 'list of the few that failed in a namespace',
		run: (ledger) => ledger.list({ state: 'failed', namespace: QUIET }),
	},
	{
		name: 'list by start of key',
		run: (ledger, { namespace, key }) => ledger.list({ namespace, keyPrefix: key.slice(0, -2) }),
	},
	{ name: 'statistics', run: (ledger) => ledger.stats() },
	{ name: 'statistics of a namespace', run: (ledger) => ledger.stats({ namespace: QUIET }) },
	{ name: 'take', run: (ledger) => ledger.take(TAKE) },
	{ name: 'take the few of a namespace', run: takeOfQuiet },
	{
		name: 'take the few that were tried often',
		run: (ledger) => ledger.take({ ...TAKE, minAttempts: MANY_ATTEMPTS }),
	},
];
