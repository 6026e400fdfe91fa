import type { LedgerError } from '../../../ledger/errors';
import type { Ledger } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import { ALICE, at, heldBy, unchanged, win } from './helpers';

type Request = EventAddress & Record<string, unknown>;
type Batch = (ledger: Ledger, requests: Request[]) => Promise<unknown>;

/** A batch operation, and what is wrong with one of its requests. */
export type Bad = [operation: OperationName, wrong: Record<string, unknown>];

export type OperationName = keyof typeof OPERATIONS;

const held = heldBy(ALICE, 1);

/** The operations that take batches, with requests of any shape. */
const OPERATIONS = {
	claim: (ledger, requests) =>
		ledger.claimEvents(requests.map((request) => ({ claimant: ALICE, ...request }))),
	begin: (ledger, requests) =>
		ledger.beginSteps(
			requests.map((request) => ({ ...held, claimant: ALICE, step: 's', ...request })),
		),
	finish: (ledger, requests) =>
		ledger.finishSteps(requests.map((request) => ({ ...held, step: 's', ...request }))),
	resolve: (ledger, requests) =>
		ledger.resolveSteps(
			requests.map((request) => ({ step: 's', by: 'olga', resolution: 'happened', ...request })),
		),
	takeUndos: (ledger, requests) =>
		ledger.takeUndos(requests.map((request) => ({ by: 'olga', ...request }) as never)),
	markUndone: (ledger, requests) =>
		ledger.markUndone(requests.map((request) => ({ by: 'olga', step: 's', ...request }) as never)),
	complete: (ledger, requests) =>
		ledger.completeEvents(requests.map((request) => ({ by: 'olga', ...request }) as never)),
	fail: (ledger, requests) =>
		ledger.failEvents(
			requests.map((request) => ({ by: 'olga', reason: 'why', ...request }) as never),
		),
	renew: (ledger, requests) =>
		ledger.renewLeases(requests.map((request) => ({ ...held, ...request }))),
	pause: (ledger, requests) =>
		ledger.pauseEvents(requests.map((request) => ({ ...held, ...request }))),
	release: (ledger, requests) =>
		ledger.releaseEvents(requests.map((request) => ({ by: 'olga', ...request }) as never)),
	approve: (ledger, requests) =>
		ledger.requestApprovals(
			requests.map((request) => ({ gate: 'g', fingerprint: 'f', ...request })),
		),
	import: (ledger, requests) => ledger.importRecords(requests),
	delete: (ledger, requests) =>
		ledger.deleteEvents(requests.map((request) => ({ by: 'olga', ...request }))),
	histories: (ledger, requests) => ledger.histories(requests),
	get: (ledger, requests) => ledger.get(requests),
} satisfies Record<string, Batch>;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/**
 * The second item of the batch is wrong: the whole batch is refused with the error of its kind and the number of the
 * item, and the first, which is fine, is not written either.
 */
async function expectRefused(
	fixture: Fixture,
	operation: OperationName,
	bad: Record<string, unknown>,
	type: new (...args: never[]) => LedgerError,
): Promise<void> {
	const fine = at(fixture, operation === 'claim' || operation === 'import' ? 'nothing' : 'there');
	const requests = [fine, { ...fine, ...bad }, fine];
	await unchanged(fixture, fine.key, async () => {
		const error = await OPERATIONS[operation](fixture.ledger, requests as Request[]).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		const what = `${operation} ${Object.keys(bad).join()}`;
		expect({ what, error }).toEqual({ what, error: expect.any(type) });
		const { name, index, remedy } = error as LedgerError;
		expect({ what, name, index }).toEqual({ what, name: type.name, index: 1 });
		expect(remedy).not.toBe('');
	});
}

export function refuses(
	name: string,
	type: new (...args: never[]) => LedgerError,
	bad: Array<Bad>,
): Case {
	return {
		name,
		async run(fixture) {
			await win(fixture, 'there');
			for (const [operation, request] of bad) {
				await expectRefused(fixture, operation, request, type);
			}
			expect(await fixture.ledger.get([at(fixture, 'nothing')])).toEqual([undefined]);
		},
	};
}
