import { StoreClock } from '../../../../ledger/engine/StoreClock';

/** The two clocks of this machine, and the one of a store that is decades away. */
let wall: number;
let monotonic: number;
let store: number;

beforeEach(() => {
	[wall, monotonic, store] = [1_700_000_000_000, 50_000, 4_000_000_000_000];
	jest.spyOn(Date, 'now').mockImplementation(() => wall);
	jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
});
afterEach(() => jest.restoreAllMocks());

function pass(ms: number): void {
	wall += ms;
	monotonic += ms;
	store += ms;
}

function clock() {
	const ask = jest.fn(async () => store);
	return { clock: new StoreClock(ask), ask };
}

describe("The store's clock", () => {
	test('is asked for when nothing is known, and counted on from there', async () => {
		const { clock: known, ask } = clock();
		expect(await known.now()).toBe(store);
		pass(1234.7);
		expect(await known.now()).toBe(Math.floor(store));
		expect(ask).toHaveBeenCalledTimes(1);
	});

	test('is known from every answer', async () => {
		const { clock: known, ask } = clock();
		expect(known.observe(store)).toBe(store);
		pass(10);
		expect(await known.now()).toBe(store);
		store += 500;
		known.observe(store);
		expect(await known.now()).toBe(store);
		expect(ask).not.toHaveBeenCalled();
	});

	test('is never ahead: the way back of an answer counts as no time', async () => {
		const { clock: known } = clock();
		const answered = store;
		pass(300);
		known.observe(answered);
		expect(await known.now()).toBe(store - 300);
		pass(0.9);
		expect(await known.now()).toBeLessThanOrEqual(store);
		expect(Number.isInteger(await known.now())).toBe(true);
	});

	test('does not follow the clock of this machine', async () => {
		const { clock: known, ask } = clock();
		known.observe(store);
		pass(50);
		wall += 900;
		expect(await known.now()).toBe(store);
		expect(ask).not.toHaveBeenCalled();
	});

	test.each([
		['set forward', () => (wall += 3_600_000)],
		['set back', () => (wall -= 3_600_000)],
		// While a machine is suspended, its monotonic clock may stand still.
		['suspended', () => ((wall += 3_600_000), (store += 3_600_000))],
		['idle for long', () => pass(61_000)],
	])('is asked for again when this machine was %s', async (_, happens) => {
		const { clock: known, ask } = clock();
		known.observe(store);
		happens();
		expect(await known.now()).toBe(store);
		expect(ask).toHaveBeenCalledTimes(1);
		// And is known from then on.
		pass(5);
		expect(await known.now()).toBe(store);
		expect(ask).toHaveBeenCalledTimes(1);
	});
});
