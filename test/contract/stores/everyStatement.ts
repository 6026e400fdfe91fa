import type { PostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import { doneInsertion, headOf, HOUR_MS, insertion, readOne, swapOf } from '../records/fixture';
import { of } from './postgresSchema';

/** Every statement, in its variants. */
export async function everything(store: PostgresStore, name: string): Promise<void> {
	const fields = {
		executionId: `run ${name}`,
		fingerprint: `print of ${name}`,
		findSameContent: true,
	} as const;
	const keys = Array.from({ length: 12 }, (_, i) => `${name} ${i}`);
	const items = keys.map((key) => insertion(of, key, { ...fields, externalId: `id of ${key}` }));
	await store.insert([items[0]]);
	await store.insert([insertion(of, `${name} alias`, { alias: name })]);
	await store.insert([insertion(of, `${name} other`, { alias: name })]);
	await store.insert(items.slice(0, 3));
	await store.insert(items.map((item) => ({ ...item, key: `${item.key} of a batch` })));
	await store.insert(items);
	await store.insert(items.map((item) => ({ ...item, isDelivery: undefined })));
	await swapInAllWays(store, keys);
	for (const filter of [
		{ order: 'key' },
		{ order: 'key', namespace: 'n' },
		{ order: 'key', namespace: 'n', keyPrefix: 'key 19' },
		{ order: 'key', namespace: 'n', keyPart: 'key' },
		{ order: 'key', namespace: 'n', fingerprint: 'print key 7' },
		{ order: 'key', executionId: fields.executionId, state: 'processing' },
		{ order: 'key', externalId: 'part key 7' },
		{ order: 'due', state: 'processing' },
		{ order: 'due', state: 'review', dueBefore: Date.now() },
		{ order: 'created' },
		{ order: 'created', namespace: 'n', createdBefore: Date.now() + 1000 },
	] as const) {
		const { records } = await store.list({ ...filter, limit: 3 });
		const last = records.at(-1);
		if (!last) continue;
		const time = filter.order === 'due' ? last.dueAt! : last.createdAt;
		const after = { time, namespace: last.namespace, key: last.key };
		await store.list({ ...filter, limit: 3, after });
	}
	const mark = { ...of, object: name, version: 1, retentionMs: HOUR_MS };
	await store.raiseMarks([mark]);
	await store.raiseMarks([mark, { ...mark, version: 0 }, { ...mark, object: `${name} too` }]);
	await store.putEntry({ name, text: name, expiresAfterMs: 1, onlyIfMissing: true });
	await store.readEntries(`${name}/`);
	await store.stats({ days: 1 });
	await store.stats({ namespace: 'n', days: 1 });
	await store.insert([doneInsertion(of, `${name} expired`, { expiresAfterMs: 0 })]);
	await store.insert([insertion(of, `${name} expired`)]);
	await store.remove([{ ...of, key: `${name} expired`, onlyIfExpired: true, mark }]);
	await store.remove(keys.map((key) => ({ ...of, key })));
	await store.purge(10);
}

async function swapInAllWays(store: PostgresStore, keys: string[]): Promise<void> {
	const part = { name: 'step', text: 'text', externalId: keys[0] };
	const count = { kind: 'kind', n: 1 };
	for (const change of [
		{},
		{ parts: [part], counts: [count] },
		{ parts: [part, { name: 'gate', text: 'text' }], counts: [count, { kind: 'another', n: 2 }] },
	]) {
		const wanted = keys.map((key) => ({ ...of, key }));
		const first = await readOne(store, wanted[0], { parts: ['step'], values: true, history: true });
		await store.swap([swapOf(first, { ...change, append: '{}' })]);
		const { records } = await store.read(wanted.map((item) => ({ ...item, parts: 'all' })));
		await store.swap(
			records.map((record, i) =>
				swapOf(record!, { ...change, head: { ...headOf(record!), alias: `alias ${keys[i]}` } }),
			),
		);
	}
}
