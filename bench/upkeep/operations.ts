import { encodeCursor } from '../../ledger/cursor';
import type { Ledger } from '../../ledger/Ledger';
import type { EventSummary } from '../../ledger/records';
import { listPlan } from '../../ledger/engine/requests';
import { EXTERNAL_ID, MANY_ATTEMPTS, QUIET } from './fill';

export interface Operation {
	name: string;
	run(ledger: Ledger, middle: EventSummary): Promise<unknown>;
	/** Looks through many events, by design. */
	isSearch?: true;
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
		run: (ledger, middle) => ledger.list({ cursor: encodeCursor(listPlan({}).query, middle) }),
	},
	{
		name: 'list of a namespace, deep down',
		run: (ledger, middle) =>
			ledger.list({
				namespace: middle.namespace,
				cursor: encodeCursor(listPlan({ namespace: middle.namespace }).query, middle),
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
	{ name: 'list of what is stuck', run: (ledger) => ledger.list({ state: 'stuck' }) },
	{ name: 'list by external id', run: (ledger) => ledger.list({ externalId: EXTERNAL_ID }) },
	{
		name: 'search by a part of the key',
		run: (ledger, { namespace, key }) => ledger.list({ namespace, keyPart: key.slice(-6) }),
		isSearch: true,
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
