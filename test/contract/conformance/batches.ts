import { randomBytes } from 'node:crypto';

import type { ClaimRequest } from '../../../ledger/Ledger';
import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';
import type { Case } from './Case';
import { ALICE, at, BOB, claimant, heldBy, kinds, look, ok, one, sum, win } from './helpers';

export const batches: Case[] = [
	{
		name: 'an empty batch is no work',
		async run({ ledger }) {
			expect(await ledger.claimEvents([])).toEqual([]);
			expect(await ledger.beginSteps([])).toEqual([]);
			expect(await ledger.finishSteps([])).toEqual([]);
			expect(await ledger.completeEvents([])).toEqual([]);
			expect(await ledger.failEvents([])).toEqual([]);
			expect(await ledger.renewLeases([])).toEqual([]);
			expect(await ledger.releaseEvents([])).toEqual([]);
			expect(await ledger.requestApprovals([])).toEqual([]);
			expect(await ledger.importRecords([])).toEqual([]);
			expect(await ledger.get([])).toEqual([]);
		},
	},
	{
		name: 'more than one call to the store can take: every operation, in order',
		async run(fixture) {
			const { ledger } = fixture;
			// Not in the order of keys, so that a store which sorts them has to put the answers back in order.
			const keys = Array.from({ length: BATCH_LIMIT * 2 + 7 }, (_, i) => `k${(i * 7919) % 2007}`);
			const addresses = keys.map((key) => at(fixture, key));
			const claims = await ledger.claimEvents(
				addresses.map((address, i) => ({ ...address, claimant: ALICE, input: i })),
			);
			expect(claims.map(({ outcome, event }) => `${outcome} ${event!.key}`)).toEqual(
				keys.map((key) => `new ${key}`),
			);
			const held = addresses.map((address) => ({ ...address, ...heldBy(ALICE, 1) }));
			const begun = await ledger.beginSteps(
				held.map((item, i) => ({ ...item, step: `step ${i}`, claimant: ALICE })),
			);
			expect(
				begun.map((item) => item.ok && `${item.value.event.key} ${item.value.step.name}`),
			).toEqual(keys.map((key, i) => `${key} step ${i}`));
			const finished = await ledger.finishSteps(
				held.map((item, i) => ({ ...item, step: `step ${i}`, output: i })),
			);
			expect(finished.map((item) => item.ok && item.value.step.output)).toEqual(
				keys.map((_, i) => i),
			);
			const renewed = await ledger.renewLeases(held);
			expect(renewed.map((item) => item.ok && item.value.event.key)).toEqual(keys);
			const completed = await ledger.completeEvents(
				held.map((item, i) => ({ ...item, result: `result ${i}` })),
			);
			expect(completed.map((item) => item.ok && item.value.event.key)).toEqual(keys);
			const found = await ledger.get(addresses);
			expect(found.map((details) => details?.event.result)).toEqual(
				keys.map((_, i) => `result ${i}`),
			);
		},
	},
	{
		name: 'a very large batch with repeated keys: exactly one new per key',
		async run(fixture) {
			const { ledger, manyItems } = fixture;
			const different = Math.floor(manyItems * 0.9);
			const results = await ledger.claimEvents(
				Array.from({ length: manyItems }, (_, i) => ({
					...at(fixture, `k${(i * 7) % different}`),
					claimant: claimant('alice', i),
				})),
			);
			expect(results).toHaveLength(manyItems);
			const winners = new Set<string>();
			let lost = 0;
			for (const { outcome, event } of results) {
				if (outcome === 'in_progress') lost++;
				else if (outcome === 'new' && !winners.has(event!.key)) winners.add(event!.key);
				else throw new Error(`${event?.key} is ${outcome}`);
			}
			expect({ winners: winners.size, lost }).toEqual({
				winners: different,
				lost: manyItems - different,
			});
			const some = await ledger.get(
				results.slice(-Math.min(lost, 1000)).map(({ event }) => event!),
			);
			for (const details of some)
				expect(details!.event).toMatchObject({ attempt: 1, duplicates: 1 });
		},
	},
	{
		name: 'batches over the same keys in opposite order at the same time: no deadlock, one winner each',
		async run(fixture) {
			const ledgers = [fixture.ledger, await fixture.openAnother()];
			const keys = Array.from({ length: 200 }, (_, i) => `k${i}`);
			const attempts = await Promise.all(
				Array.from({ length: 8 }, (_, worker) => {
					const order = worker % 2 ? keys : [...keys].reverse();
					return ledgers[worker % 2].claimEvents(
						order.map((key) => ({ ...at(fixture, key), claimant: claimant(`w${worker}`) })),
					);
				}),
			);
			const results = attempts.flat();
			const winners = results.filter((result) => result.claimed);
			expect(winners.map(({ event }) => event.key).sort()).toEqual([...keys].sort());

			// The same for writes that touch each key several times in a batch.
			const holders = new Map(winners.map(({ event }) => [event.key, event.executionId!]));
			const finished = await Promise.all(
				Array.from({ length: 6 }, (_, worker) => {
					const order = worker % 2 ? keys : [...keys].reverse();
					const requests = order.slice(0, 100).flatMap((key) =>
						['one', 'two'].map((step) => ({
							...at(fixture, key),
							...heldBy(claimant(holders.get(key)!), 1),
							step,
							output: worker,
						})),
					);
					return ledgers[worker % 2].finishSteps(requests);
				}),
			);
			const first = finished.flat().filter((item) => item.ok && !item.value.repeated);
			expect(first).toHaveLength(400);
		},
	},
	{
		name: 'new and old in one batch: each gets its own answer, and is counted once',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const { held } = await win(fixture, 'done', {
				fingerprint: 'd',
				findSameContent: true,
			});
			await ok(ledger.completeEvents([{ ...at(fixture, 'done'), ...held, result: 1 }]));
			await win(fixture, 'busy', { fingerprint: 'b' });
			const claims: Array<[key: string, fingerprint: string]> = [
				['new 1', 'n'],
				['done', 'd'],
				['busy', 'b'],
				['new 2', 'd'],
				['busy', 'other'],
				['new 1', 'n'],
				['new 3', 'n'],
			];
			const results = await ledger.claimEvents(
				claims.map(([key, fingerprint]) => ({
					...at(fixture, key),
					claimant: BOB,
					fingerprint,
					findSameContent: true,
					input: key,
				})),
			);
			expect(results.map(({ outcome }) => outcome)).toEqual([
				'new',
				'duplicate',
				'in_progress',
				'new',
				'conflict',
				'resumed',
				'new',
			]);
			expect(results[1].event).toMatchObject({ result: 1, duplicates: 1 });
			expect(results[3]).toMatchObject({ sameContentAs: 'done' });
			expect(results[6]).toMatchObject({ sameContentAs: 'new 1' });
			for (const key of ['new 2', 'new 3']) {
				expect(await kinds(fixture, key)).toEqual(['new']);
				expect((await look(fixture, key)).event).toMatchObject({ attempt: 1, input: key });
			}
			expect((await ledger.stats({ namespace })).events).toMatchObject({ processing: 4, done: 1 });
			expect(sum((await ledger.stats({ namespace })).tallies)).toEqual({
				new: 5,
				completed: 1,
				duplicate: 1,
				in_progress: 1,
				conflict: 1,
				resumed: 1,
			});
		},
	},
	{
		name: 'what each claim of a batch has of its own is kept, or left out, as it is',
		async run(fixture) {
			const own: Array<Pick<ClaimRequest, 'key' | 'fingerprint' | 'input'>> = [
				{ key: 'plain', fingerprint: 'f', input: { a: 1 } },
				{ key: 'nothing else' },
				{
					key: 'schlüssel 鍵 🔑',
					fingerprint: 'Ünïcode 🖐',
					input: ['"quotes" \\ {braces}, NULL', '🔑'],
				},
				{ key: 'no input', fingerprint: 'g' },
				{ key: 'no fingerprint', input: '' },
				{ key: 'NULL', fingerprint: 'NULL', input: 'NULL' },
			];
			const { ledger, namespace } = fixture;
			const requests = own.map((each, i) => ({ namespace, ...each, claimant: claimant('x', i) }));
			const results = await ledger.claimEvents(requests);
			expect(results.map(({ outcome }) => outcome)).toEqual(own.map(() => 'new'));
			const found = await ledger.get(requests);
			expect(found.map((details) => details!.event)).toEqual(
				own.map((each) => expect.objectContaining(each)),
			);
			for (const [i, { fingerprint, input }] of own.entries()) {
				expect('fingerprint' in found[i]!.event).toBe(fingerprint !== undefined);
				expect('input' in found[i]!.event).toBe(input !== undefined);
			}
			// Each holds its event and no other.
			const held = requests.map(({ key }) => ({ namespace, key, ...heldBy(claimant('x'), 1) }));
			for (const { ok: renewed } of await ledger.renewLeases(held)) expect(renewed).toBe(true);
			const others = held.map((each) => ({ ...each, ...heldBy(claimant('y'), 1) }));
			for (const { ok: renewed } of await ledger.renewLeases(others)) expect(renewed).toBe(false);
		},
	},
	{
		name: 'many large values in one batch',
		async run(fixture) {
			const inputs = Array.from({ length: 24 }, () => randomBytes(500_000).toString('base64'));
			const addresses = inputs.map((_, i) => at(fixture, `k${i}`));
			const claims = await fixture.ledger.claimEvents(
				addresses.map((address, i) => ({ ...address, claimant: ALICE, input: inputs[i] })),
			);
			expect(claims.every(({ outcome }) => outcome === 'new')).toBe(true);
			for (const [i, address] of addresses.entries()) {
				const details = await one(fixture.ledger.get([address]));
				if (details!.event.input !== inputs[i]) throw new Error(`Input ${i} is not what it was`);
			}
		},
	},
	{
		name: 'one event many times in one batch: one after the other',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const request = { ...at(fixture, 'k'), ...held };
			const results = await fixture.ledger.completeEvents(
				[1, 2, 3].map((result) => ({ ...request, result })),
			);
			expect(results).toMatchObject([
				{ ok: true, value: { repeated: false } },
				{ ok: true, value: { repeated: true, result: 1 } },
				{ ok: true, value: { repeated: true, result: 1 } },
			]);
			expect(results[0].ok && 'result' in results[0].value).toBe(false);
		},
	},
];
