import { purgeInParts } from '../../../ledger/purgeInParts';

/** A store with so many expired events that removes them at once; and how many it was asked for each time. */
function store(expired: number) {
	const asked: number[] = [];
	const purge = async (most: number) => {
		asked.push(most);
		const purged = Math.min(most, expired);
		expired -= purged;
		return purged;
	};
	return { asked, purge };
}

test('removes all there is, a few at a time', async () => {
	const { asked, purge } = store(1050);
	expect(await purgeInParts(10_000, purge)).toBe(1050);
	expect(Math.max(...asked)).toBeLessThanOrEqual(200);
	expect(asked).toHaveLength(Math.ceil(1050 / asked[0]));
});

test('never asks for more than is wanted', async () => {
	const { asked, purge } = store(1050);
	expect(await purgeInParts(350, purge)).toBe(350);
	expect(asked.reduce((sum, most) => sum + most)).toBe(350);
	expect(await purgeInParts(0, purge)).toBe(0);
});

test('others get their turn after every part', async () => {
	const { asked, purge } = store(1000);
	let turns = 0;
	const timer = setInterval(() => turns++, 0);
	for (let i = 0; i < 5; i++) {
		await purgeInParts(200, purge);
		expect(turns).toBeGreaterThanOrEqual(asked.length);
	}
	clearInterval(timer);
});
