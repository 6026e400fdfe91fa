/**
 * Times are compared as how many of these they are from now: how long a lease or a pause is, and not when somebody asked for it. So tests
 * ask for whole multiples.
 */
const UNIT_MS = 10 * 60 * 1000;

const TIMES = /^at$|At$|Until$/;

/**
 * What two ledgers have to agree on: all but the exact times, and the ids that each makes for itself. `rename` evens out the names that
 * each has for itself.
 */
export function comparable(value: unknown, rename = (text: string) => text): unknown {
	if (value instanceof Error) {
		const { name, message, ...rest } = value as Error & { event?: unknown; steps?: unknown };
		const readable = rename(message.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time'));
		return { name, message: readable, ...(comparable({ ...rest }, rename) as object) };
	}
	if (typeof value === 'string') return rename(value);
	// Drivers make lists outside of jest's own world, where even an empty one is another kind of list.
	if (Array.isArray(value)) return Array.from(value, (item) => comparable(item, rename));
	if (typeof value !== 'object' || value === null) return value;
	const result: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(value)) {
		if (field === undefined) result[name] = undefined;
		else if (name === 'id') result[name] = 'an id';
		else if (name === 'lastSeenAt' && 'claimedAt' in value) result[name] = lastSeen(value as Seen);
		else if (TIMES.test(name)) result[name] = fromNow(field as number);
		// Which of several it is depends on the time; whether there is one does not.
		else if (name === 'sameContentAs') result[name] = 'a key';
		else result[name] = comparable(field, rename);
	}
	return result;
}

function fromNow(time: number): number {
	const units = Math.round((time - Date.now()) / UNIT_MS);
	// Not minus zero.
	return units === 0 ? 0 : units;
}

interface Seen {
	claimedAt: number;
	lastSeenAt: number;
}

function lastSeen({ claimedAt, lastSeenAt }: Seen): string {
	return lastSeenAt < claimedAt ? 'before the claim' : 'with the claim or since';
}
