import { HISTORY_LIMIT } from '../../../ledger/records';
import type { Case } from './Case';
import {
	ALICE,
	at,
	beginStep,
	complete,
	finishStep,
	history,
	look,
	takeOver,
	win,
} from './helpers';

/** What happened to an event. */
export const histories: Case[] = [
	{
		name: 'history: oldest first, with who and what, and none for an unknown event',
		async run(fixture) {
			expect(await history(fixture, 'k')).toEqual([]);
			const { held } = await win(fixture, 'k');
			await beginStep(fixture, 'k', held, 'email');
			await finishStep(fixture, 'k', held, 'email');
			const bob = await takeOver(fixture, 'k');
			await complete(fixture, 'k', bob.held);
			const entries = await history(fixture, 'k');
			expect(entries).toMatchObject([
				{ kind: 'new', attempt: 1, executionId: 'alice' },
				{ kind: 'step_started', attempt: 1, executionId: 'alice', step: 'email' },
				{ kind: 'step_done', attempt: 1, step: 'email' },
				{ kind: 'recovered', attempt: 2, executionId: 'bob' },
				{ kind: 'completed', attempt: 2 },
			]);
			const times = entries.map((entry) => entry.at);
			expect(times).toEqual([...times].sort((a, b) => a - b));
		},
	},
	{
		name: 'history keeps the newest 100 entries',
		async run(fixture) {
			const { held } = await win(fixture, 'k');
			const starts = HISTORY_LIMIT + 20;
			const begin = {
				...at(fixture, 'k'),
				...held,
				step: 'step',
				claimant: ALICE,
				whenInDoubt: 'repeat' as const,
			};
			for (let i = 0; i < 2; i++) {
				await fixture.ledger.beginSteps(Array(starts / 2).fill(begin));
			}
			await finishStep(fixture, 'k', held, 'step');
			const entries = await history(fixture, 'k');
			expect(entries).toHaveLength(HISTORY_LIMIT);
			expect(entries.at(-1)!.kind).toBe('step_done');
			expect(entries[0].kind).toBe('step_started');
			expect((await look(fixture, 'k')).steps[0].tries).toBe(starts);
		},
	},
	{
		name: 'of 250 entries, one at a time or many at once, the newest 100 are kept, in order',
		async run(fixture) {
			for (const size of [1, 7, 90, 250]) {
				const key = `by ${size}`;
				const { held } = await win(fixture, key);
				for (let first = 0; first < 250; first += size) {
					const requests = Array.from({ length: Math.min(size, 250 - first) }, (_, i) => ({
						...at(fixture, key),
						...held,
						step: `s${first + i}`,
					}));
					await fixture.ledger.finishSteps(requests);
					const entries = await history(fixture, key);
					const last = first + requests.length;
					expect(entries.length).toBe(Math.min(HISTORY_LIMIT, last + 1));
					expect(entries.at(-1)!.step).toBe(`s${last - 1}`);
				}
				const steps = (await history(fixture, key)).map(({ step }) => step);
				expect(steps).toEqual(Array.from({ length: HISTORY_LIMIT }, (_, i) => `s${150 + i}`));
				expect((await look(fixture, key)).steps).toHaveLength(250);
			}
		},
	},
];
