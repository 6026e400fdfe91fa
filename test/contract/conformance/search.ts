import type { ListRequest } from '../../../ledger/Ledger';
import type { Case, Fixture } from './Case';
import {
	at,
	claimant,
	complete,
	fail,
	finishStep,
	type Held,
	heldBy,
	ok,
	pause,
	takeOver,
	wait,
	win,
} from './helpers';

/** The keys on all pages. */
async function keysOf(fixture: Fixture, request: ListRequest): Promise<string[]> {
	const keys: string[] = [];
	let cursor: string | undefined;
	do {
		const page = await fixture.ledger.list({ ...request, cursor });
		expect(page.events.length).toBeLessThanOrEqual(request.limit ?? 50);
		keys.push(...page.events.map(({ key }) => key));
		cursor = page.cursor;
		if (keys.length > 2000) throw new Error('The pages do not end');
	} while (cursor !== undefined);
	return keys;
}

async function finishWithId(fixture: Fixture, key: string, held: Held, step: string, id: string) {
	const request = { ...at(fixture, key), ...held, step, externalId: id };
	return await ok(fixture.ledger.finishSteps([request]));
}

/** What people look for: events that are stuck, and events of which they know only a part. */
export const search: Case[] = [
	{
		name: 'stuck: in progress, and the lease is over; nothing else',
		async run(fixture) {
			const { namespace } = fixture;
			const stuck = { namespace, state: 'stuck' } as const;
			for (const key of ['b', 'a', 'live', 'taken', 'renewed', 'late pause'])
				await win(fixture, key);
			await fail(fixture, 'failed', (await win(fixture, 'failed')).held);
			await complete(fixture, 'done', (await win(fixture, 'done')).held);
			await wait(fixture, 'waiting', (await win(fixture, 'waiting')).held);
			expect(await keysOf(fixture, stuck)).toEqual([]);
			for (const key of ['b', 'a', 'taken', 'renewed']) await fixture.expireLease(at(fixture, key));
			await pause(fixture, 'late pause', heldBy(claimant('alice'), 1), 0);
			await fixture.expirePause(at(fixture, 'late pause'));
			await takeOver(fixture, 'taken');
			const renewed = { ...at(fixture, 'renewed'), ...heldBy(claimant('alice'), 1) };
			await ok(fixture.ledger.renewLeases([renewed]));
			expect((await keysOf(fixture, stuck)).sort()).toEqual(['a', 'b']);
			expect(await keysOf(fixture, { ...stuck, keyPrefix: 'a' })).toEqual(['a']);
			expect(await keysOf(fixture, { ...stuck, executionId: 'alice' })).toEqual(['a', 'b']);
			const { events } = await fixture.ledger.list(stuck);
			expect(events[0]).toMatchObject({ state: 'processing', attempt: 1 });
		},
	},
	{
		name: 'stuck events on many pages, among others that are not',
		async run(fixture) {
			const { namespace, ledger } = fixture;
			const keys = Array.from({ length: 25 }, (_, i) => `k${String(i).padStart(2, '0')}`);
			await ledger.claimEvents(
				keys.map((key) => ({ ...at(fixture, key), claimant: claimant('alice') })),
			);
			const expired = keys.filter((_, i) => i % 3 === 0);
			for (const key of expired) await fixture.expireLease(at(fixture, key));
			for (const limit of [1, 2, 4, 9, 50]) {
				const found = await keysOf(fixture, { namespace, state: 'stuck', limit });
				expect([...found].sort()).toEqual(expired);
			}
			const all = await ledger.list({ state: 'stuck', limit: 1000 });
			expect(all.events.filter((event) => event.namespace === namespace)).toHaveLength(9);
		},
	},
	{
		name: "by external id: the event's, one of its steps', one of a row's",
		async run(fixture) {
			const { namespace } = fixture;
			const id = (name: string) => `${name} of ${namespace}`;
			const a = await win(fixture, 'a');
			await finishWithId(fixture, 'a', a.held, 'charge', id('ch_1'));
			await finishWithId(fixture, 'a', a.held, 'mail', id('both'));
			const request = { ...at(fixture, 'a'), ...a.held, externalId: id('inv_1') };
			await ok(fixture.ledger.completeEvents([request]));
			const b = await win(fixture, 'b');
			const row = { ...at(fixture, 'b'), ...b.held, step: 'line', row: '1' };
			await ok(fixture.ledger.finishSteps([{ ...row, externalId: id('both') }]));
			await ok(fixture.ledger.finishSteps([{ ...row, row: '2', externalId: id('row 2') }]));
			await fixture.ledger.importRecords([{ ...at(fixture, 'c'), externalId: id('imported') }]);
			const expected = {
				ch_1: ['a'],
				inv_1: ['a'],
				both: ['a', 'b'],
				'row 2': ['b'],
				imported: ['c'],
				nothing: [],
			};
			for (const [name, keys] of Object.entries(expected)) {
				expect(await keysOf(fixture, { externalId: id(name) })).toEqual(keys);
				expect(await keysOf(fixture, { externalId: id(name), namespace, limit: 1 })).toEqual(keys);
				const elsewhere = { externalId: id(name), namespace: `${namespace} elsewhere` };
				expect(await keysOf(fixture, elsewhere)).toEqual([]);
			}
			const both = { externalId: id('both') };
			expect(await keysOf(fixture, { ...both, state: 'done' })).toEqual(['a']);
			expect(await keysOf(fixture, { ...both, namespace, keyPrefix: 'b' })).toEqual(['b']);
		},
	},
	{
		name: 'by external id: one that was replaced, forgotten or erased leads nowhere',
		async run(fixture) {
			const { namespace } = fixture;
			const id = (name: string) => `${name} of ${namespace}`;
			const { held } = await win(fixture, 'k');
			const failed = { ...at(fixture, 'k'), ...held, step: 's', state: 'failed' as const };
			await ok(fixture.ledger.finishSteps([{ ...failed, externalId: id('first') }]));
			await finishWithId(fixture, 'k', held, 's', id('second'));
			expect(await keysOf(fixture, { externalId: id('first') })).toEqual([]);
			expect(await keysOf(fixture, { externalId: id('second') })).toEqual(['k']);
			await complete(fixture, 'k', held);
			await fixture.expireRecord(at(fixture, 'k'));
			expect(await keysOf(fixture, { externalId: id('second') })).toEqual([]);
			const again = await win(fixture, 'k');
			expect(await keysOf(fixture, { externalId: id('second') })).toEqual([]);
			await finishWithId(fixture, 'k', again.held, 's', id('third'));
			await fixture.ledger.deleteEvents([{ ...at(fixture, 'k'), by: 'olga' }]);
			expect(await keysOf(fixture, { externalId: id('third') })).toEqual([]);
		},
	},
	{
		name: 'by a part of the key, in the order of keys, and nothing is a wildcard',
		async run(fixture) {
			const { namespace } = fixture;
			const keys = [
				'order-17',
				'order-170',
				'a 17 b',
				'17',
				'O%_*[17]',
				'ord\\er',
				'水17水',
				'ORDER-17',
			];
			for (const key of keys) {
				const { held } = await win(fixture, key, { claimant: claimant('seventeen') });
				await finishStep(fixture, key, held, 'step');
			}
			const expected: Record<string, string[]> = {
				'17': ['17', 'O%_*[17]', 'ORDER-17', 'a 17 b', 'order-17', 'order-170', '水17水'],
				'order-17': ['order-17', 'order-170'],
				ORDER: ['ORDER-17'],
				'%': ['O%_*[17]'],
				_: ['O%_*[17]'],
				'*': ['O%_*[17]'],
				'[17]': ['O%_*[17]'],
				'\\': ['ord\\er'],
				水: ['水17水'],
				'170': ['order-170'],
				none: [],
			};
			for (const [keyPart, found] of Object.entries(expected)) {
				for (const limit of [1, 2, 50]) {
					expect(await keysOf(fixture, { namespace, keyPart, limit })).toEqual(found);
				}
			}
			const part = { namespace, keyPart: '17' };
			expect(await keysOf(fixture, { ...part, keyPrefix: 'order' })).toEqual([
				'order-17',
				'order-170',
			]);
			const elsewhere = { ...part, namespace: `${namespace} elsewhere` };
			expect(await keysOf(fixture, elsewhere)).toEqual([]);
			expect(await keysOf(fixture, { ...part, executionId: 'nobody' })).toEqual([]);
			expect(await keysOf(fixture, { ...part, executionId: 'seventeen' })).toHaveLength(7);
			expect(await keysOf(fixture, { ...part, state: 'done' })).toEqual([]);
		},
	},
	{
		name: 'by a part of the key in all namespaces',
		async run(fixture) {
			const { namespace } = fixture;
			const keyPart = `part ${namespace}`;
			const elsewhere = { ...fixture, namespace: `${namespace} elsewhere` };
			await win(fixture, `a ${keyPart}`);
			await win(elsewhere, `b ${keyPart} b`);
			expect(await keysOf(fixture, { keyPart, limit: 1 })).toEqual([
				`a ${keyPart}`,
				`b ${keyPart} b`,
			]);
		},
	},
];
