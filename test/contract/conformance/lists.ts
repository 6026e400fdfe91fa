import type { ListRequest } from '../../../ledger/Ledger';
import type { EventAddress, EventSummary } from '../../../ledger/records';
import type { Case, Fixture } from './Case';
import {
	at,
	claimant,
	complete,
	fail,
	HOUR,
	look,
	ok,
	review,
	takeOver,
	untilPast,
	wait,
	win,
} from './helpers';

/**
 * Keys for which the order of bytes differs from every alphabet and from JavaScript's own order, and which contain what
 * a careless search by the start of the key would take for a wildcard or for the end of the range.
 */
const KEYS = [
	'a',
	'A',
	'aa',
	'ab',
	'a_',
	'a%',
	'a*',
	'a[b]',
	'a\\',
	'a\uffff',
	'a\u{10ffff}',
	'a😀',
	'b',
	'Z',
	'ä',
	'a\u0308',
	'é',
	'~',
	'水',
	'ｚ',
	'😀',
	'\u{10ffff}',
];

/** All pages; no page is empty or too long, and only the last has no cursor. */
async function pages(fixture: Fixture, request: ListRequest): Promise<EventSummary[]> {
	const found: EventSummary[] = [];
	let cursor: string | undefined;
	do {
		const page = await fixture.ledger.list({ ...request, cursor });
		expect(page.events.length).toBeLessThanOrEqual(request.limit!);
		if (page.cursor !== undefined) expect(page.events).toHaveLength(request.limit!);
		found.push(...page.events);
		cursor = page.cursor;
		if (found.length > 1000) throw new Error('The pages do not end');
	} while (cursor !== undefined);
	return found;
}

function compare(a: EventSummary, b: EventSummary, order: 'key' | 'due' | 'created'): number {
	const never = Number.MAX_SAFE_INTEGER;
	const byKey =
		Buffer.compare(Buffer.from(a.namespace), Buffer.from(b.namespace)) ||
		Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
	if (order === 'key') return byKey;
	if (order === 'due') return (a.dueAt ?? never) - (b.dueAt ?? never) || byKey;
	return b.createdAt - a.createdAt || -byKey;
}

/** What the contract says that a list shows, from what `get` shows of every event. */
async function expected(
	fixture: Fixture,
	addresses: EventAddress[],
	request: ListRequest,
): Promise<EventSummary[]> {
	const byKey = ['executionId', 'fingerprint', 'keyPrefix'].some((name) => name in request);
	const byDue = request.state !== undefined && request.state !== 'done';
	const order = byKey ? 'key' : byDue ? 'due' : 'created';
	return (await fixture.ledger.get(addresses))
		.filter((details) => details !== undefined)
		.map(({ event }) => ({ ...event, input: undefined, result: undefined }))
		.filter(
			(event) =>
				(request.namespace === undefined || event.namespace === request.namespace) &&
				(request.state === undefined || event.state === request.state) &&
				(request.executionId === undefined || event.executionId === request.executionId) &&
				(request.fingerprint === undefined || event.fingerprint === request.fingerprint) &&
				(request.keyPrefix === undefined || event.key.startsWith(request.keyPrefix)) &&
				(request.createdAfter === undefined || event.createdAt > request.createdAfter) &&
				(request.createdBefore === undefined || event.createdAt < request.createdBefore),
		)
		.sort((a, b) => compare(a, b, order));
}

async function expectList(
	fixture: Fixture,
	addresses: EventAddress[],
	request: ListRequest,
	count: number,
): Promise<void> {
	const right = await expected(fixture, addresses, request);
	expect(right).toHaveLength(count);
	for (const limit of [1000, count, 3]) {
		if (limit > 0) expect(await pages(fixture, { ...request, limit })).toEqual(right);
	}
}

/** One event for each of KEYS, in several states, with two fingerprints and executions. */
async function fill(fixture: Fixture): Promise<EventAddress[]> {
	const ends = [async () => {}, fail, review, complete, wait];
	for (const [i, key] of KEYS.entries()) {
		const { held } = await win(fixture, key, {
			claimant: claimant(`${fixture.namespace} ${i % 2}`, i),
			fingerprint: `fingerprint ${i % 3}`,
			input: 'in',
		});
		await ends[i % 5](fixture, key, held);
	}
	return KEYS.map((key) => at(fixture, key));
}

export const lists: Case[] = [
	{
		name: 'all of a namespace: newest first, on one page or on many',
		async run(fixture) {
			const addresses = await fill(fixture);
			await expectList(fixture, addresses, { namespace: fixture.namespace }, KEYS.length);
			const none = { namespace: `${fixture.namespace} none` };
			expect(await fixture.ledger.list(none)).toEqual({ events: [], cursor: undefined });
		},
	},
	{
		name: 'by state: most urgent first, done ones newest first',
		async run(fixture) {
			const addresses = await fill(fixture);
			const counts = { processing: 5, failed: 5, review: 4, done: 4, waiting: 4 } as const;
			for (const [state, count] of Object.entries(counts)) {
				const request = { namespace: fixture.namespace, state: state as keyof typeof counts };
				await expectList(fixture, addresses, request, count);
			}
		},
	},
	{
		name: 'by start of key: in the order of bytes, and nothing is a wildcard',
		async run(fixture) {
			const addresses = await fill(fixture);
			const counts = { a: 12, A: 1, a_: 1, 'a%': 1, 'a*': 1, 'a[': 1, '😀': 1, b: 1, none: 0 };
			for (const [keyPrefix, count] of Object.entries(counts)) {
				const request = { namespace: fixture.namespace, keyPrefix };
				await expectList(fixture, addresses, request, count);
			}
		},
	},
	{
		name: 'by fingerprint, alone and together with other filters',
		async run(fixture) {
			const addresses = await fill(fixture);
			const { namespace } = fixture;
			const request = { namespace, fingerprint: 'fingerprint 0' };
			await expectList(fixture, addresses, request, 8);
			await expectList(fixture, addresses, { ...request, keyPrefix: 'a' }, 5);
			await expectList(fixture, addresses, { ...request, state: 'done' }, 2);
			await expectList(fixture, addresses, { ...request, executionId: `${namespace} 0` }, 4);
			const other = { namespace: `${namespace} other`, fingerprint: 'fingerprint 0' };
			await expectList(fixture, addresses, other, 0);
		},
	},
	{
		name: 'by execution, in all namespaces or in one',
		async run(fixture) {
			const addresses = await fill(fixture);
			const { namespace } = fixture;
			const executionId = `${namespace} 1`;
			const elsewhere = { namespace: `${namespace} elsewhere`, key: 'a' };
			await win(fixture, 'a', { ...elsewhere, claimant: claimant(executionId) });
			const all = [...addresses, elsewhere];
			await expectList(fixture, all, { executionId }, 12);
			await expectList(fixture, all, { executionId, namespace }, 11);
			await expectList(fixture, all, { executionId, state: 'review' }, 2);
			await expectList(fixture, all, { executionId, namespace, keyPrefix: 'a' }, 6);
		},
	},
	{
		name: 'by execution: the one that has the claim now, or had it last',
		async run(fixture) {
			const first = `${fixture.namespace} first`;
			const second = `${fixture.namespace} second`;
			await win(fixture, 'k', { claimant: claimant(first) });
			await takeOver(fixture, 'k', claimant(second));
			expect((await fixture.ledger.list({ executionId: first })).events).toEqual([]);
			const { events } = await fixture.ledger.list({ executionId: second });
			expect(events.map(({ key }) => key)).toEqual(['k']);
		},
	},
	{
		name: 'by time of creation',
		async run(fixture) {
			const groups: EventAddress[][] = [];
			const borders: number[] = [];
			for (let group = 0; group < 3; group++) {
				const keys = [0, 1, 2, 3].map((i) => `${i} of ${group}`);
				const requests = keys.map((key) => ({ ...at(fixture, key), claimant: claimant('x') }));
				const results = await fixture.ledger.claimEvents(requests);
				const newest = Math.max(...results.map(({ event }) => event!.createdAt));
				groups.push(requests);
				borders.push(newest + 1);
				await untilPast(fixture, newest + 1);
			}
			const { namespace } = fixture;
			const addresses = groups.flat();
			const within = { createdAfter: borders[0], createdBefore: borders[1] };
			const keyPrefix = { namespace, keyPrefix: '1' };
			await expectList(fixture, addresses, { namespace, createdBefore: borders[1] }, 8);
			await expectList(fixture, addresses, { namespace, ...within }, 4);
			await expectList(fixture, addresses, { ...keyPrefix, ...within }, 1);
			await expectList(fixture, addresses, { ...keyPrefix, createdAfter: borders[0] }, 2);
			const processing = { namespace, state: 'processing', ...within } as const;
			await expectList(fixture, addresses, processing, 4);
		},
	},
	{
		name: 'lists show the present state, and not what is expired',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const { namespace } = fixture;
			const keys = async (state?: 'processing' | 'failed' | 'done') =>
				(await fixture.ledger.list({ namespace, state })).events.map(({ key }) => key);
			expect(await keys('processing')).toEqual(['k']);
			await fail(fixture, 'k', held);
			expect([await keys('processing'), await keys('failed')]).toEqual([[], ['k']]);
			const second = await win(fixture, 'k');
			expect([await keys('processing'), await keys('failed')]).toEqual([['k'], []]);
			await complete(fixture, 'k', second.held, 'result');
			expect([await keys('done'), await keys('processing')]).toEqual([['k'], []]);
			await fixture.expireRecord(at(fixture, 'k'));
			expect([await keys(), await keys('done')]).toEqual([[], []]);
			const prefix = await fixture.ledger.list({ namespace, keyPrefix: 'k' });
			expect(prefix.events).toEqual([]);
		},
	},
	{
		name: 'by state over all namespaces: most urgent first',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const failed = { ...at(fixture, 'k'), ...held, reason: 'why', retryAfterMs: HOUR };
			await ok(fixture.ledger.failEvents([failed]));
			await fixture.makeDue(at(fixture, 'k'));
			const { events } = await fixture.ledger.list({ state: 'failed', limit: 1000 });
			const { dueAt } = (await look(fixture, 'k')).event;
			expect(events.filter((event) => event.dueAt! <= dueAt!)).toContainEqual(
				expect.objectContaining(at(fixture, 'k')),
			);
			const times = events.map((event) => event.dueAt!);
			expect(times).toEqual([...times].sort((a, b) => a - b));
		},
	},
	{
		name: 'a page goes on where the last one ended, although the list changed in between',
		async run(fixture) {
			for (const key of ['a', 'b', 'c', 'd', 'e']) await win(fixture, key);
			const byExecution = { executionId: 'alice', namespace: fixture.namespace, limit: 2 };
			const first = await fixture.ledger.list(byExecution);
			expect(first.events.map(({ key }) => key)).toEqual(['a', 'b']);
			const { held } = await win(fixture, 'b');
			await complete(fixture, 'b', held);
			await fixture.expireRecord(at(fixture, 'b'));
			await win(fixture, 'aa');
			await win(fixture, 'cc');
			const second = await fixture.ledger.list({ ...byExecution, cursor: first.cursor });
			expect(second.events.map(({ key }) => key)).toEqual(['c', 'cc']);
			const third = await fixture.ledger.list({ ...byExecution, cursor: second.cursor });
			expect(third.events.map(({ key }) => key)).toEqual(['d', 'e']);
			expect(third.cursor).toBeUndefined();
		},
	},
];
