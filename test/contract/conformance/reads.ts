import type { Case } from './Case';
import { at, win } from './helpers';

/** Reads of single events, and the counts over all of them. Lists are in lists.ts. */
export const reads: Case[] = [
	{
		name: 'get answers in the order of the addresses, with a gap for what is not there',
		async run(fixture) {
			await win(fixture, 'a', { input: 1 });
			await win(fixture, 'b', { input: 2 });
			const keys = ['b', 'nothing', 'a', 'b'];
			const found = await fixture.ledger.get(keys.map((key) => at(fixture, key)));
			expect(found.map((details) => details?.event.input)).toEqual([2, undefined, 1, 2]);
			expect(found[1]).toBeUndefined();
			const elsewhere = { namespace: `${fixture.namespace} 2`, key: 'a' };
			expect(await fixture.ledger.get([elsewhere])).toEqual([undefined]);
		},
	},
];

/** Over all days, in case it is midnight. */
