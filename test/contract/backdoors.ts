import { Change } from '../../ledger/engine/Change';
import { baseOf } from '../../ledger/engine/Writes';
import type { EventAddress, EventState } from '../../ledger/records';
import { unchanged } from '../../ledger/rules/Draft';
import type { Event, Step } from '../../ledger/rules/Event';
import type { RecordStore } from '../../ledger/stores/RecordStore';
import type { Backdoors } from './conformance/Case';

/** How far in the past the backdoors put what they let expire: more than any host is behind the clock of a store. */
export const AGO_MS = 10_000;

/** What has passed of an event. Nothing if it is not in a state to which that could happen. */
type Passing = (
	event: Event,
	steps: Iterable<Step>,
	past: number,
) => { event: Event; steps?: Step[] } | undefined;

/**
 * Lets time pass for single events, whatever the store: reads the record, and writes it back with times that have passed. Nothing else
 * of it changes.
 */
export function backdoorsOf(store: RecordStore): Backdoors {
	const pass = (what: string, address: EventAddress, passing: Passing) =>
		letPass(store, what, address, passing);
	return {
		expireLease: (address) =>
			pass('lease', address, (event, _, past) =>
				inState(event, 'processing', { leaseUntil: past, dueAt: past }),
			),
		expirePause: (address) =>
			pass('pause', address, (event, _, past) =>
				event.isPaused ? inState(event, 'waiting', { leaseUntil: past, dueAt: past }) : undefined,
			),
		expireRecord: (address) =>
			pass('record', address, (event, _, past) => inState(event, 'done', { expiresAt: past })),
		expireApproval: (address, gate) =>
			pass(`gate ${gate}`, address, (event, _, past) => expireGate(event, gate, past)),
		makeDue: (address) =>
			pass('time to wait', address, (event, _, past) => ({ event: { ...event, dueAt: past } })),
		expireUndos: (address) =>
			pass('undoing', address, (event, steps, past) => ({
				event,
				steps: [...steps]
					.filter(({ undoUntil }) => undoUntil !== undefined)
					.map((step) => ({ ...step, undoUntil: past })),
			})),
	};
}

async function letPass(
	store: RecordStore,
	what: string,
	address: EventAddress,
	passing: Passing,
): Promise<void> {
	// Others may change the event at the same time.
	for (let attempt = 0; attempt < 100; attempt++) {
		const { now, records } = await store.read([{ ...address, parts: 'all' }]);
		const base = baseOf(records[0], now);
		const passed = base.event && passing(base.event, base.steps.values(), now - AGO_MS);
		if (!passed) throw new Error(`There is no ${what} of ${address.key} that could expire`);
		const change = new Change(base);
		change.add({ ...unchanged(undefined), steps: [], ...passed });
		const { replies } = await store.swap([change.swap()!]);
		if (replies[0]) return;
	}
	throw new Error(`${address.key} is changed by others all the time`);
}

function inState(event: Event, state: EventState, times: Partial<Event>) {
	return event.state === state ? { event: { ...event, ...times } } : undefined;
}

function expireGate(event: Event, gate: string, past: number) {
	if (!event.approvals.some((approval) => approval.gate === gate)) return undefined;
	const approvals = event.approvals.map((approval) =>
		approval.gate === gate ? { ...approval, expiresAt: past } : approval,
	);
	const isWaiting = event.state === 'waiting' && !event.isPaused;
	return { event: { ...event, approvals, ...(isWaiting && { dueAt: past }) } };
}
