import type { Case } from './Case';
import { ALICE, BOB, fail, look, win } from './helpers';

/** Who looks after an event. */
export const owners: Case[] = [
	{
		name: 'an owner is shown by every read, and stays until a later claim names another',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const first = await win(fixture, 'k', { owner: 'olga@example.com' });
			expect(first.event.owner).toBe('olga@example.com');
			await fail(fixture, 'k', first.held);
			const second = await win(fixture, 'k', { claimant: BOB });
			expect(second.event.owner).toBe('olga@example.com');
			await fail(fixture, 'k', second.held);
			await win(fixture, 'k', { claimant: ALICE, owner: 'the finance team' });
			const { event } = await look(fixture, 'k');
			expect(event.owner).toBe('the finance team');
			const { events } = await ledger.list({ namespace });
			expect(events).toMatchObject([{ key: 'k', owner: 'the finance team' }]);
		},
	},
];
