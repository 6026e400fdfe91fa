import type { Tally } from '../../ledger/Ledger';
import { type Entry, groupBy } from './Journal';
import { keyName } from './orders';
import { PLACES } from './places';
import { race } from './race';

const WORKERS = 8;
const KEYS = 500;
const ROUNDS = 4;

for (const [store, open] of Object.entries(PLACES)) {
	race(
		`${store}: of 8 processes with 2,000 claims each over 500 keys, one wins each key`,
		open,
		async ({ ledger, crew }) => {
			await crew.hire(WORKERS, { task: 'storm', keys: KEYS, rounds: ROUNDS });
			await crew.end();

			const claims = crew.journal.read().filter(({ op }) => op === 'claim');
			expect(claims).toHaveLength(WORKERS * KEYS * ROUNDS);
			const byKey = groupBy(claims, ({ key }) => key);
			expect(byKey.size).toBe(KEYS);
			for (const [key, own] of byKey) expect([key, winners(own)]).toEqual([key, ['new']]);

			expect(crew.journal.count('refused')).toBe(0);

			const { namespace } = crew;
			const keys = Array.from({ length: KEYS }, (_, i) => keyName(i));
			const records = await ledger.get(keys.map((key) => ({ namespace, key })));
			keys.forEach((key, i) => {
				const winner = byKey.get(key)!.find(({ outcome }) => outcome === 'new')!;
				const isDone = i % 2 === 1;
				expect(records[i]?.event).toMatchObject({
					key,
					state: isDone ? 'done' : 'processing',
					executionId: `worker-${winner.worker}`,
					attempt: 1,
					duplicates: WORKERS * ROUNDS - 1,
					...(isDone && { result: winner.worker }),
				});
			});

			const { events, tallies } = await ledger.stats({ namespace });
			const [open, done] = [KEYS / 2, KEYS / 2];
			expect(events).toEqual({ processing: open, waiting: 0, done, failed: 0, review: 0 });
			expect(totals(tallies)).toEqual({ ...outcomes(claims), completed: done });
		},
	);
}

/** The outcomes of all claims but those that were turned away as they should. */
function winners(claims: Entry[]): Array<string | undefined> {
	return claims
		.map(({ outcome }) => outcome)
		.filter((outcome) => outcome !== 'in_progress' && outcome !== 'duplicate');
}

function outcomes(claims: Entry[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome = '' } of claims) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

/** Over all days: midnight may pass during the test. */
function totals(tallies: Tally[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { kind, count } of tallies) counts[kind] = (counts[kind] ?? 0) + count;
	return counts;
}
