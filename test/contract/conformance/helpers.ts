import type { ClaimError } from '../../../ledger/errors';
import type {
	ApprovalRequest,
	BeginStepRequest,
	ClaimLost,
	ClaimRequest,
	ClaimResult,
	ClaimWon,
	DecisionRequest,
	HeldRequest,
	ItemResult,
} from '../../../ledger/Ledger';
import type {
	Claimant,
	EventAddress,
	EventDetails,
	HistoryEntry,
	Holder,
	JsonValue,
} from '../../../ledger/records';
import type { Fixture } from './Case';

export const HOUR = 60 * 60 * 1000;

export function at({ namespace }: Fixture, key: string): EventAddress {
	return { namespace, key };
}

/** One run of one node for one item. */
export function claimant(executionId: string, itemIndex = 0): Claimant {
	return {
		instance: 'n8n',
		executionId,
		nonce: `nonce of ${executionId}`,
		nodeId: 'node',
		runIndex: 0,
		itemIndex,
	};
}

export const ALICE = claimant('alice');
export const BOB = claimant('bob');

/** What proves that a write is of the execution that has the claim, and of its present attempt. */
export type Held = Pick<HeldRequest, 'holder' | 'attempt'>;

export function holderOf({ instance, executionId, nonce }: Claimant): Holder {
	return { instance, executionId, nonce };
}

/** A claim that was won, and what its holder says of itself from then on. */
export type Win = ClaimWon & { held: Held };

/** A claim by Alice, unless the request says otherwise. */
export async function claim(
	fixture: Fixture,
	key: string,
	request: Partial<ClaimRequest> = {},
): Promise<ClaimResult> {
	return await one(
		fixture.ledger.claimEvents([{ ...at(fixture, key), claimant: ALICE, ...request }]),
	);
}

export async function win(
	fixture: Fixture,
	key: string,
	request: Partial<ClaimRequest> = {},
): Promise<Win> {
	const result = await claim(fixture, key, request);
	expect(result).toMatchObject({ claimed: true });
	const won = result as ClaimWon;
	return { ...won, held: heldBy(request.claimant ?? ALICE, won.event.attempt) };
}

export function heldBy(by: Claimant, attempt: number): Held {
	return { holder: holderOf(by), attempt };
}

export async function lose(
	fixture: Fixture,
	key: string,
	request: Partial<ClaimRequest> = {},
): Promise<ClaimLost> {
	const result = await claim(fixture, key, request);
	expect(result).toMatchObject({ claimed: false });
	return result as ClaimLost;
}

/** The result of a batch of one. */
export async function one<T>(results: Promise<T[]>): Promise<T> {
	const all = await results;
	expect(all).toHaveLength(1);
	return all[0];
}

/** The value of a write that has to succeed. */
export async function ok<T>(results: Promise<Array<ItemResult<T>>>): Promise<T> {
	const result = await one(results);
	if (!result.ok) throw result.error;
	return result.value;
}

/** The error of a write that has to be refused. */
export async function refused<E extends ClaimError>(
	results: Promise<Array<ItemResult<unknown>>>,
	type: new (...args: never[]) => E,
): Promise<E> {
	const result = await one(results);
	expect(result).toMatchObject({ ok: false, error: expect.any(type) });
	const { error } = result as unknown as { error: E };
	expect(error.name).toBe(type.name);
	expect(error.remedy).not.toBe('');
	return error;
}

export async function look(fixture: Fixture, key: string): Promise<EventDetails> {
	const details = await one(fixture.ledger.get([at(fixture, key)]));
	expect(details).toBeDefined();
	return details!;
}

export async function history(fixture: Fixture, key: string): Promise<HistoryEntry[]> {
	return await fixture.ledger.history(at(fixture, key));
}

export async function kinds(fixture: Fixture, key: string): Promise<string[]> {
	return (await history(fixture, key)).map(({ kind }) => kind);
}

/** Whatever is done, the event and its history are afterwards what they were before. */
export async function unchanged<T>(
	fixture: Fixture,
	key: string,
	act: () => Promise<T>,
): Promise<T> {
	const before = await everything(fixture, key);
	const result = await act();
	expect(await everything(fixture, key)).toEqual(before);
	return result;
}

async function everything(fixture: Fixture, key: string) {
	const [details] = await fixture.ledger.get([at(fixture, key)]);
	return { details, history: await history(fixture, key) };
}

export async function finishStep(
	fixture: Fixture,
	key: string,
	held: Held,
	step: string,
	output?: JsonValue,
) {
	return await ok(fixture.ledger.finishSteps([{ ...at(fixture, key), ...held, step, output }]));
}

/** A step that is known not to have happened. */
export async function failStep(fixture: Fixture, key: string, held: Held, step: string) {
	const request = {
		...at(fixture, key),
		...held,
		step,
		state: 'failed',
		error: 'Refused',
	} as const;
	return await ok(fixture.ledger.finishSteps([request]));
}

export async function beginStep(
	fixture: Fixture,
	key: string,
	held: Held,
	step: string,
	request: Partial<BeginStepRequest> = {},
) {
	const by = { ...ALICE, ...held.holder };
	return await ok(
		fixture.ledger.beginSteps([{ ...at(fixture, key), ...held, step, claimant: by, ...request }]),
	);
}

/** Begins the step `step`. */
export async function begin(
	fixture: Fixture,
	key: string,
	held: Held,
	request: Partial<BeginStepRequest> = {},
) {
	return await beginStep(fixture, key, held, 'step', request);
}

export async function complete(fixture: Fixture, key: string, held: Held, result?: JsonValue) {
	return await ok(fixture.ledger.completeEvents([{ ...at(fixture, key), ...held, result }]));
}

export async function fail(fixture: Fixture, key: string, held: Held, reason = 'It broke') {
	return await ok(fixture.ledger.failEvents([{ ...at(fixture, key), ...held, reason }]));
}

/** Brings an event into `review`. */
export async function review(fixture: Fixture, key: string, held: Held) {
	return await ok(
		fixture.ledger.failEvents([
			{ ...at(fixture, key), ...held, as: 'review', reason: 'Look at it' },
		]),
	);
}

/** Asks at the gate `gate`, unless the request says otherwise. */
export async function ask(fixture: Fixture, key: string, request: Partial<ApprovalRequest> = {}) {
	return await ok(
		fixture.ledger.requestApprovals([
			{ ...at(fixture, key), gate: 'gate', fingerprint: 'content', ...request },
		]),
	);
}

export async function decide(
	fixture: Fixture,
	key: string,
	approvalId: string,
	decision: 'approved' | 'rejected',
	request: Partial<DecisionRequest> = {},
) {
	return await fixture.ledger.decideApproval({
		...at(fixture, key),
		gate: 'gate',
		approvalId,
		decision,
		by: 'olga',
		...request,
	});
}

/** Brings an event into `waiting` at a gate. */
export async function wait(fixture: Fixture, key: string, held: Held, gate = 'gate') {
	const request = { ...at(fixture, key), ...held, gate, fingerprint: 'content' };
	return (await ok(fixture.ledger.requestApprovals([request]))).approval;
}

/** Brings an event into `waiting` for something that is no gate. */
export async function pause(fixture: Fixture, key: string, held: Held, forMs?: number) {
	return await ok(fixture.ledger.pauseEvents([{ ...at(fixture, key), ...held, forMs }]));
}

/** The lease of the present claim runs out and somebody else takes the event over. */
export async function takeOver(fixture: Fixture, key: string, by = BOB): Promise<Win> {
	await fixture.expireLease(at(fixture, key));
	const won = await win(fixture, key, { claimant: by, onStopped: 'takeover' });
	expect(won.outcome).toBe('recovered');
	return won;
}

export async function release(fixture: Fixture, key: string) {
	return await ok(fixture.ledger.releaseEvents([{ ...at(fixture, key), by: 'olga' }]));
}

/** Waits until the store's clock is past `time`, by asking the store and not by hoping; and lets the ledger know. */
export async function untilPast(fixture: Fixture, time: number): Promise<void> {
	for (let i = 0; i < 1_000_000; i++) {
		if ((await fixture.store.now()) <= time) continue;
		await fixture.ledger.get([at(fixture, 'a key that nobody has')]);
		return;
	}
	throw new Error("The store's clock does not move");
}

/** How often what happened, over all days. */
export function sum(tallies: Array<{ kind: string; count: number }>): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const { kind, count } of tallies) sums[kind] = (sums[kind] ?? 0) + count;
	return sums;
}
