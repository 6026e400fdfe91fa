import { RecordLedger } from '../../../ledger/RecordLedger';
import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';
import type { Case, Fixture } from './Case';
import { ALICE, at, BOB, claimant, heldBy } from './helpers';
import { counted } from './wrapped';

/** A ledger whose calls to its store are counted, on the fixture's store. */
function counting(fixture: Fixture) {
	const { store, calls } = counted(fixture.store);
	return { ledger: fixture.ledgerOn(store), calls };
}

/** How often a store is asked: what most callers wait for is the way there and back. */
export const roundTrips: Case[] = [
	{
		name: 'one event: claim, begin, finish, renew and complete are one call each',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const address = at(fixture, 'k');
			await ledger.claimEvents([{ ...address, claimant: ALICE, input: 1, fingerprint: 'f' }]);
			expect(calls()).toEqual({ insert: 1 });
			const held = { ...address, ...heldBy(ALICE, 1) };
			await ledger.beginSteps([{ ...held, step: 's', claimant: ALICE }]);
			expect(calls()).toEqual({ swap: 1 });
			await ledger.finishSteps([{ ...held, step: 's', output: 'out' }]);
			expect(calls()).toEqual({ swap: 1 });
			await ledger.renewLeases([held]);
			expect(calls()).toEqual({ swap: 1 });
			const [done] = await ledger.completeEvents([{ ...held, result: 'result' }]);
			expect(done).toMatchObject({ ok: true, value: { repeated: false } });
			expect(calls()).toEqual({ swap: 1 });
		},
	},
	{
		name: 'a duplicate is one call: in progress, and done with its result',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const address = at(fixture, 'k');
			await ledger.claimEvents([{ ...address, claimant: ALICE }]);
			calls();
			await ledger.claimEvents([{ ...address, claimant: BOB }]);
			expect(calls()).toEqual({ insert: 1 });
			await ledger.completeEvents([{ ...address, ...heldBy(ALICE, 1), result: 'result' }]);
			calls();
			const [duplicate] = await ledger.claimEvents([{ ...address, claimant: BOB }]);
			expect(duplicate).toMatchObject({ outcome: 'duplicate', event: { result: 'result' } });
			expect(calls()).toEqual({ insert: 1 });
		},
	},
	{
		name: 'a double submit is one call, and a retry is three: what was there, the claim, its steps',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const first = { ...at(fixture, 'first'), claimant: ALICE, alias: 'a' };
			await ledger.claimEvents([first]);
			calls();
			const second = { ...at(fixture, 'second'), claimant: BOB, alias: 'a' };
			expect(await ledger.claimEvents([second])).toMatchObject([{ isDoubleSubmit: true }]);
			expect(calls()).toEqual({ insert: 1 });
			const held = { ...at(fixture, 'first'), ...heldBy(ALICE, 1) };
			await ledger.finishSteps([{ ...held, step: 's' }]);
			await ledger.failEvents([{ ...held, reason: 'why' }]);
			calls();
			const [retried] = await ledger.claimEvents([{ ...first, claimant: BOB }]);
			expect(retried).toMatchObject({ outcome: 'retry', steps: [{ name: 's' }] });
			expect(calls()).toEqual({ insert: 1, swap: 1, read: 1 });
		},
	},
	{
		name: 'a batch of a thousand different events is one call for each operation',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const addresses = Array.from({ length: BATCH_LIMIT }, (_, i) => at(fixture, `k${i}`));
			const claims = addresses.map((address) => ({ ...address, claimant: ALICE }));
			const held = addresses.map((address) => ({ ...address, ...heldBy(ALICE, 1) }));
			const won = await ledger.claimEvents(claims);
			expect(won.every(({ outcome }) => outcome === 'new')).toBe(true);
			expect(calls()).toEqual({ insert: 1 });
			const writes = [
				() => ledger.beginSteps(held.map((one) => ({ ...one, step: 's', claimant: ALICE }))),
				() => ledger.finishSteps(held.map((one) => ({ ...one, step: 's', output: 1 }))),
				() => ledger.renewLeases(held),
				() => ledger.completeEvents(held.map((one) => ({ ...one, result: 2 }))),
			];
			for (const write of writes) {
				const results = await write();
				expect(results.every(({ ok }) => ok)).toBe(true);
				expect(calls()).toEqual({ swap: 1 });
			}
			const duplicates = await ledger.claimEvents(claims);
			expect(duplicates.every(({ outcome }) => outcome === 'duplicate')).toBe(true);
			expect(calls()).toEqual({ insert: 1 });
			await ledger.get(addresses);
			await ledger.histories(addresses);
			expect(calls()).toEqual({ read: 2 });
		},
	},
	{
		name: 'a thousand rows of one event, in batches: a call for each, and all of it is there',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const address = at(fixture, 'k');
			await ledger.claimEvents([{ ...address, claimant: ALICE }]);
			calls();
			const rows = Array.from({ length: BATCH_LIMIT }, (_, i) => ({
				...address,
				...heldBy(ALICE, 1),
				step: 'line',
				row: `row ${i}`,
			}));
			const begun = await ledger.beginSteps(
				rows.map((one, i) => ({ ...one, claimant: claimant('alice', i) })),
			);
			expect(begun.every((result) => result.ok && result.value.outcome === 'run')).toBe(true);
			expect(calls()).toEqual({ swap: 1 });
			const [refused] = await ledger.completeEvents([{ ...address, ...heldBy(ALICE, 1) }]);
			expect(refused).toMatchObject({ ok: false, error: { name: 'UnfinishedStepsError' } });
			// Refusals are decided on what is there, not on what was remembered.
			expect(calls()).toEqual({ read: 1 });
			for (let first = 0; first < rows.length; first += 250) {
				const finished = await ledger.finishSteps(
					rows.slice(first, first + 250).map((one, i) => ({ ...one, output: first + i })),
				);
				expect(finished.every((result) => result.ok && !result.value.repeated)).toBe(true);
				// The refusal has made the first of them read once.
				expect(calls()).toEqual(first === 0 ? { read: 1, swap: 1 } : expect.anything());
			}
			const [done] = await ledger.completeEvents([{ ...address, ...heldBy(ALICE, 1) }]);
			expect(done).toMatchObject({ ok: true });
			const [details] = await ledger.get([address]);
			expect(details!.event.state).toBe('done');
			expect(details!.steps).toHaveLength(BATCH_LIMIT);
			for (const [i, { row, state, output }] of details!.steps.entries()) {
				if (row !== `row ${i}` || state !== 'done' || output !== i) throw new Error(`Row ${i}`);
			}
			const { tallies } = await ledger.stats({ namespace: fixture.namespace });
			const count = (kind: string) => tallies.find((tally) => tally.kind === kind)?.count;
			expect([count('step_started'), count('step_done')]).toEqual([BATCH_LIMIT, BATCH_LIMIT]);
		},
	},
	{
		name: 'single calls at the same time share a call',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const addresses = Array.from({ length: 60 }, (_, i) => at(fixture, `k${i}`));
			await Promise.all(
				addresses.map((address) => ledger.claimEvents([{ ...address, claimant: ALICE }])),
			);
			const most = (fixture.store.callsAtOnce ?? 1) + 1;
			expect(calls().insert).toBeLessThanOrEqual(most);
			await Promise.all(
				addresses.map((address, i) => {
					const held = { ...address, ...heldBy(ALICE, 1) };
					return i % 2
						? ledger.beginSteps([{ ...held, step: 's', claimant: ALICE }])
						: ledger.completeEvents([held]);
				}),
			);
			expect(calls().swap).toBeLessThanOrEqual(most);
		},
	},
	{
		name: 'who knows nothing of an event reads it first; who was overtaken reads it again',
		async run(fixture) {
			const { ledger, calls } = counting(fixture);
			const address = at(fixture, 'k');
			const other = new RecordLedger(fixture.store);
			await other.claimEvents([{ ...address, claimant: ALICE }]);
			const held = { ...address, ...heldBy(ALICE, 1) };
			await ledger.beginSteps([{ ...held, step: 's', claimant: ALICE }]);
			// To know the time is one more, once.
			expect(calls()).toMatchObject({ read: 1, swap: 1 });
			await other.finishSteps([{ ...held, step: 's', output: 'by the other' }]);
			const [finished] = await ledger.finishSteps([{ ...held, step: 's', output: 'late' }]);
			expect(finished).toMatchObject({
				value: { repeated: true, step: { output: 'by the other' } },
			});
			expect(calls()).toEqual({ swap: 1, read: 1 });
		},
	},
];
