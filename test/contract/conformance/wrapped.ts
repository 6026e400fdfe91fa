import type { RecordStore } from '../../../ledger/stores/RecordStore';

/** The same store, with some calls done otherwise. */
export function wrapped(store: RecordStore, changes: Partial<RecordStore>): RecordStore {
	return new Proxy(store, {
		get(target, name: keyof RecordStore) {
			if (name in changes) return changes[name];
			const value = target[name];
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

/** A store that counts the calls of each kind. */
export function counted(store: RecordStore): {
	store: RecordStore;
	/** What was called since the last time this was asked. */
	calls(): Partial<Record<keyof RecordStore, number>>;
} {
	let calls: Partial<Record<keyof RecordStore, number>> = {};
	const proxy = new Proxy(store, {
		get(target, name: keyof RecordStore) {
			const value = target[name];
			if (typeof value !== 'function') return value;
			return (...args: never[]) => {
				calls[name] = (calls[name] ?? 0) + 1;
				return (value as (...given: never[]) => unknown).apply(target, args);
			};
		},
	});
	return {
		store: proxy,
		calls: () => {
			const since = calls;
			calls = {};
			return since;
		},
	};
}

/** Calls that change something, and are repeated as they are. */
const CHANGES = ['insert', 'swap', 'raiseMarks', 'putEntry'] as const;
type Change = (typeof CHANGES)[number];

/**
 * A store whose first answer to each change is lost: it repeats the call, as stores do when a connection breaks, and hands out what is
 * answered then. `meanwhile` happens in between.
 */
export function forgetful(
	store: RecordStore,
	{
		calls = CHANGES,
		meanwhile,
	}: { calls?: readonly Change[]; meanwhile?: () => Promise<void> } = {},
): RecordStore {
	const twice = (name: Change) => async (given: never) => {
		await store[name](given);
		await meanwhile?.();
		return await store[name](given);
	};
	return wrapped(store, Object.fromEntries(calls.map((name) => [name, twice(name)])));
}
