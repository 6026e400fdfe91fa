import { type ClaimError, StaleClaimError } from '../../../ledger/errors';
import type {
	ApprovalRequest,
	ClaimLost,
	ClaimRequest,
	ClaimResult,
	ClaimWon,
	DecisionRequest,
	Ledger,
	Settled,
} from '../../../ledger/Ledger';
import type {
	Claimant,
	EventAddress,
	EventDetails,
	HistoryEntry,
	JsonValue,
} from '../../../ledger/records';
import type { ClaimCommand } from '../../../ledger/Store';
import type { Fixture } from './Case';

export const HOUR = 60 * 60 * 1000;

export function at({ namespace }: Fixture, key: string): EventAddress {
	return { namespace, key };
}

/** One run of one node for one item. */
export function claimant(executionId: string, itemIndex = 0): Claimant {
	return { executionId, nodeId: 'node', runIndex: 0, itemIndex };
}

export const ALICE = claimant('alice');
export const BOB = claimant('bob');

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
): Promise<ClaimWon> {
	const result = await claim(fixture, key, request);
	expect(result).toMatchObject({ claimed: true });
	return result as ClaimWon;
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
export async function ok<T>(results: Promise<Array<Settled<T>>>): Promise<T> {
	const result = await one(results);
	if (!result.ok) throw result.error;
	return result.value;
}

/** The error of a write that has to be refused. */
export async function refused<E extends ClaimError>(
	results: Promise<Array<Settled<unknown>>>,
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
	token: string,
	step: string,
	output?: JsonValue,
) {
	return await ok(fixture.ledger.finishSteps([{ ...at(fixture, key), token, step, output }]));
}

export async function beginStep(fixture: Fixture, key: string, token: string, step: string) {
	return await ok(
		fixture.ledger.beginSteps([{ ...at(fixture, key), token, step, claimant: ALICE }]),
	);
}

export async function complete(fixture: Fixture, key: string, token: string, result?: JsonValue) {
	return await ok(fixture.ledger.completeEvents([{ ...at(fixture, key), token, result }]));
}

export async function fail(fixture: Fixture, key: string, token: string, reason = 'It broke') {
	return await ok(fixture.ledger.failEvents([{ ...at(fixture, key), token, reason }]));
}

/** Brings an event into `review`. */
export async function review(fixture: Fixture, key: string, token: string) {
	return await ok(
		fixture.ledger.failEvents([{ ...at(fixture, key), token, as: 'review', reason: 'Look at it' }]),
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

/** Brings an event into `waiting`. */
export async function wait(fixture: Fixture, key: string, token: string, gate = 'gate') {
	const request = { ...at(fixture, key), token, gate, fingerprint: 'content' };
	return (await ok(fixture.ledger.requestApprovals([request]))).approval;
}

/** The lease of the present claim runs out and somebody else takes the event over. */
export async function takeOver(fixture: Fixture, key: string, by = BOB): Promise<ClaimWon> {
	await fixture.expireLease(at(fixture, key));
	const won = await win(fixture, key, { claimant: by, onStopped: 'takeover' });
	expect(won.outcome).toBe('recovered');
	return won;
}

type TokenWrite = (
	ledger: Ledger,
	held: EventAddress & { token: string },
) => Promise<Array<Settled<unknown>>>;

/** Every write that a token authorises. */
export const TOKEN_WRITES: Record<string, TokenWrite> = {
	begin: (ledger, held) => ledger.beginSteps([{ ...held, step: 'other', claimant: ALICE }]),
	finish: (ledger, held) => ledger.finishSteps([{ ...held, step: 'step', output: 'late' }]),
	complete: (ledger, held) => ledger.completeEvents([{ ...held, result: 'late' }]),
	fail: (ledger, held) => ledger.failEvents([{ ...held, reason: 'late' }]),
	renew: (ledger, held) => ledger.renewLeases([{ ...held, leaseMs: 99 * HOUR }]),
	release: (ledger, held) => ledger.releaseEvents([held]),
	takeUndos: (ledger, held) => ledger.takeUndos([held]),
	requestApproval: (ledger, held) =>
		ledger.requestApprovals([{ ...held, gate: 'late', fingerprint: 'late' }]),
};

/** None of the writes that a token authorises goes through, and none changes anything. */
export async function expectFencedOff(
	fixture: Fixture,
	key: string,
	token: string,
	error: new (...args: never[]) => ClaimError = StaleClaimError,
	writes = Object.keys(TOKEN_WRITES),
): Promise<void> {
	for (const name of writes) {
		await unchanged(fixture, key, async () => {
			await refused(TOKEN_WRITES[name](fixture.ledger, { ...at(fixture, key), token }), error);
		});
	}
}

/** A claim as a store gets it, for driving the store itself. */
export function claimCommand(
	fixture: Fixture,
	key: string,
	command: Partial<ClaimCommand> & { token: string },
): ClaimCommand {
	return {
		...at(fixture, key),
		claimant: 'alice/node/0/0',
		executionId: 'alice',
		lease: HOUR,
		retention: 24 * HOUR,
		maxAttempts: 5,
		onStopped: 'takeover',
		...command,
	};
}

/** Waits until the store's clock is past `time`, by asking the store and not by hoping. */
export async function untilPast(fixture: Fixture, time: number): Promise<void> {
	for (let i = 0; i < 100_000; i++) {
		const token = `clock ${i}`;
		// In another namespace, where it is not in the way of what the case counts.
		const namespace = `${fixture.namespace} clock`;
		const command = claimCommand(fixture, token, { token, namespace });
		if ((await fixture.store.claim([command]))[0].now > time) return;
	}
	throw new Error("The store's clock does not move");
}

/** How often what happened, over all days. */
export function sum(tallies: Array<{ kind: string; count: number }>): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const { kind, count } of tallies) sums[kind] = (sums[kind] ?? 0) + count;
	return sums;
}
