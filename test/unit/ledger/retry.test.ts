import { withRetry } from '../../../ledger/retry';

// Time passes only while somebody sleeps, and then at once.
let mockNow = 0;
const mockPauses: number[] = [];
jest.mock('node:timers/promises', () => ({
	setTimeout: async (pause: number) => {
		mockPauses.push(pause);
		mockNow += pause;
	},
}));

class Passing extends Error {}
class Lasting extends Error {}

const isPassing = (error: unknown) => error instanceof Passing;

/** Fails so many times before it succeeds. */
function failing(times: number, error: () => Error) {
	return jest.fn(async () => {
		if (times-- > 0) throw error();
		return 'done';
	});
}

describe('Trying again', () => {
	beforeEach(() => {
		mockNow = 1_000_000;
		mockPauses.length = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => mockNow);
	});
	afterEach(() => jest.restoreAllMocks());

	test('does not happen when the first time succeeds', async () => {
		const action = failing(0, () => new Passing());
		expect(await withRetry(action, isPassing)).toBe('done');
		expect(action).toHaveBeenCalledTimes(1);
		expect(mockPauses).toEqual([]);
	});

	test('goes on until it succeeds', async () => {
		const action = failing(5, () => new Passing());
		expect(await withRetry(action, isPassing)).toBe('done');
		expect(action).toHaveBeenCalledTimes(6);
	});

	test('does not happen for an error that does not pass', async () => {
		const action = failing(1, () => new Lasting());
		await expect(withRetry(action, isPassing)).rejects.toThrow(Lasting);
		expect(action).toHaveBeenCalledTimes(1);
	});

	test('does not hide an error that comes after one that passes', async () => {
		const errors = [new Passing(), new Lasting('this one')];
		const action = failing(2, () => errors.shift()!);
		await expect(withRetry(action, isPassing)).rejects.toThrow('this one');
	});

	test('ends before the time is over, with the last error', async () => {
		let calls = 0;
		const action = async () => {
			throw new Passing(`call ${++calls}`);
		};
		await expect(withRetry(action, isPassing, 3000)).rejects.toThrow(Passing);
		expect(calls).toBe(mockPauses.length + 1);
		expect(mockNow - 1_000_000).toBeLessThanOrEqual(3000);
		expect(mockNow - 1_000_000).toBeGreaterThan(2000 - 1);
	});

	test('counts the time that the action itself takes', async () => {
		const action = jest.fn(async () => {
			mockNow += 10_000;
			throw new Passing();
		});
		await expect(withRetry(action, isPassing, 15_000)).rejects.toThrow(Passing);
		expect(action).toHaveBeenCalledTimes(2);
	});

	test('waits longer each time, up to a second, and never exactly as long as others', async () => {
		const action = failing(1000, () => new Passing());
		await expect(withRetry(action, isPassing, 60_000)).rejects.toThrow(Passing);
		expect(mockPauses[0]).toBeGreaterThanOrEqual(10);
		expect(mockPauses[0]).toBeLessThanOrEqual(20);
		for (const pause of mockPauses.slice(6)) {
			expect(pause).toBeGreaterThanOrEqual(500);
			expect(pause).toBeLessThanOrEqual(1000);
		}
		expect(new Set(mockPauses).size).toBe(mockPauses.length);
	});
});
