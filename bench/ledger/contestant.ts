import { randomUUID } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import type { LedgerSettings } from '../../ledger/settings';
import { claimantOf, executionOf } from './execution';

/** A store on a private server: the bare statement of its driver, and our contract on the same server. */
export interface Contestant {
	name: string;
	/** Which server, and which statement is the measure. */
	server: string;
	statement: string;
	settings: LedgerSettings;
	bareSingle(item: Item): Promise<void>;
	bareBatch(items: Item[]): Promise<void>;
	/** What all records of our ledger take, in bytes. */
	bytes(): Promise<number>;
	/** CPU time that the server has taken so far, in milliseconds; none where it is this process. */
	serverCpu?(): Promise<number>;
	stop(): Promise<void>;
}

/** The size of a large call. */
export const BATCH = 1000;

/** What both store: the bare statement the namespace, key, owner and input, ours the full record and its history. */
export interface Item {
	namespace: string;
	key: string;
	owner: string;
	input: string;
}

export const INPUT = {
	id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
	type: 'invoice.paid',
	amount: 4200,
	currency: 'eur',
	customer: 'cus_9s6XKzkNRiz8i3',
};

export const NAMESPACE = 'wAbC3xYz9kLmN0pQ';
const EXECUTION = executionOf('48213');
let made = 0;
const run = randomUUID().slice(0, 8);

/** Keys as a provider's event ids are: the same start, and then in no order. */
export function nextKey(): string {
	const scattered = Math.imul(++made, 0x9e37_79b1) >>> 0;
	return `v1:stripe:evt_${run}${scattered.toString(36).padStart(7, '0')}${made.toString(36)}`;
}

export function nextItem(): Item {
	return {
		namespace: NAMESPACE,
		key: nextKey(),
		owner: randomUUID(),
		input: JSON.stringify(INPUT),
	};
}

export async function claim(ledger: Ledger, count: number): Promise<void> {
	const results = await ledger.claimEvents(
		Array.from({ length: count }, (_, itemIndex) => ({
			namespace: NAMESPACE,
			key: nextKey(),
			claimant: claimantOf(EXECUTION, itemIndex),
			workflowId: NAMESPACE,
			input: INPUT,
		})),
	);
	const lost = results.find(({ claimed }) => !claimed);
	if (lost) throw new Error(`A claim that should be new is ${lost.outcome}`);
}

/** Claims an event, does one step of it, and completes it. */
export async function cycle(ledger: Ledger): Promise<void> {
	const claimant = claimantOf(EXECUTION);
	const address = { namespace: NAMESPACE, key: nextKey() };
	const [claimed] = await ledger.claimEvents([
		{ ...address, claimant, workflowId: NAMESPACE, input: INPUT },
	]);
	if (!claimed.claimed) throw new Error(`A claim that should be new is ${claimed.outcome}`);
	const held = { ...address, holder: EXECUTION, attempt: claimed.event.attempt };
	const step = 'invoice';
	const writes = [
		...(await ledger.beginSteps([{ ...held, step, claimant }])),
		...(await ledger.finishSteps([{ ...held, step, output: INPUT }])),
		...(await ledger.completeEvents([{ ...held, result: INPUT }])),
	];
	for (const write of writes) if (!write.ok) throw write.error;
}

export async function bareBatch(contestant: Contestant): Promise<void> {
	await contestant.bareBatch(Array.from({ length: BATCH }, nextItem));
}

/** Another ledger on the same server. */
export function named(settings: LedgerSettings, name: string): LedgerSettings {
	switch (settings.store) {
		case 'embedded':
			return { ...settings, file: `${settings.file}.${name}` };
		case 'postgres':
			return { ...settings, schema: name };
		case 'redis':
			return { ...settings, prefix: name };
	}
}
