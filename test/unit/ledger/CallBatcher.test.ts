import { CallBatcher } from '../../../ledger/engine/CallBatcher';
import { LedgerUnavailableError } from '../../../ledger/errors';
import { BATCH_LIMIT } from '../../../ledger/stores/RecordStore';

interface Command {
	key: string;
}

/** A store whose calls end when the test says so. */
function slowStore(callsAtOnce?: number) {
	const calls: Array<{ commands: Command[]; end(): void; fail(error: Error): void }> = [];
	const batcher = new CallBatcher<Command, string>(
		(commands) =>
			new Promise((resolve, reject) => {
				calls.push({
					commands,
					end: () => resolve(commands.map(({ key }) => `reply to ${key}`)),
					fail: reject,
				});
			}),
		callsAtOnce,
	);
	return { calls, batcher };
}

const command = (key: string): Command => ({ key });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('CallBatcher', () => {
	it('sends what comes together together, and the rest when that is answered', async () => {
		const { calls, batcher } = slowStore();
		const first = ['a', 'b'].map((key) => batcher.send([command(key)]));
		await settled();
		const second = ['c', 'd', 'e'].map((key) => batcher.send([command(key)]));
		await settled();
		expect(calls.map(({ commands }) => commands)).toEqual([['a', 'b'].map(command)]);

		calls[0].end();
		expect(await Promise.all(first)).toEqual([['reply to a'], ['reply to b']]);
		await settled();
		expect(calls[1].commands).toEqual(['c', 'd', 'e'].map(command));
		calls[1].end();
		expect(await Promise.all(second)).toEqual([['reply to c'], ['reply to d'], ['reply to e']]);
		expect(calls).toHaveLength(2);
	});

	it('sends again together what was answered together', async () => {
		const { calls, batcher } = slowStore();
		const again = ['a', 'b', 'c'].map(async (key) => {
			await batcher.send([command(key)]);
			await batcher.send([command(`${key} again`)]);
		});
		for (let call = 0; call < 2; call++) {
			await settled();
			expect(calls[call].commands).toHaveLength(3);
			calls[call].end();
		}
		await Promise.all(again);
	});

	it('has as many calls under way as the store wants, each with its share', async () => {
		const { calls, batcher } = slowStore(2);
		const keys = Array.from({ length: 10 }, (_, i) => `k${i}`);
		const first = keys.map((key) => batcher.send([command(key)]));
		await settled();
		expect(calls.map(({ commands }) => commands.length)).toEqual([5, 5]);
		const second = keys.slice(0, 5).map((key) => batcher.send([command(key)]));
		await settled();
		expect(calls).toHaveLength(2);

		calls[1].end();
		await settled();
		expect(calls.map(({ commands }) => commands.length)).toEqual([5, 5, 5]);
		calls[0].end();
		calls[2].end();
		expect((await Promise.all([...first, ...second])).flat()).toEqual(
			[...keys, ...keys.slice(0, 5)].map((key) => `reply to ${key}`),
		);
	});

	it('keeps a few together, however many calls may be under way', async () => {
		const { calls, batcher } = slowStore(2);
		const few = ['a', 'b', 'c', 'd'].map((key) => batcher.send([command(key)]));
		await settled();
		expect(calls.map(({ commands }) => commands.length)).toEqual([4]);
		calls[0].end();
		await Promise.all(few);
	});

	it('has nobody wait for, or with, a large call', async () => {
		const { calls, batcher } = slowStore();
		const small = batcher.send([command('small')]);
		await settled();
		const large = batcher.send(Array.from({ length: 100 }, (_, i) => command(String(i))));
		const next = batcher.send([command('next')]);
		expect(calls.map(({ commands }) => commands.length)).toEqual([1, 100]);

		calls[0].end();
		await small;
		await settled();
		expect(calls[2].commands).toEqual([command('next')]);
		calls[2].end();
		expect(await next).toEqual(['reply to next']);
		calls[1].end();
		expect(await large).toHaveLength(100);
	});

	it('splits what is too much for one call, and keeps the order', async () => {
		const { calls, batcher } = slowStore();
		const commands = Array.from({ length: 2 * BATCH_LIMIT + 1 }, (_, i) => command(String(i)));
		const replies = batcher.send(commands);
		for (let call = 0; call < 3; call++) {
			await settled();
			// The next part does not leave before this one is answered: the same key may be in both.
			expect(calls).toHaveLength(call + 1);
			calls[call].end();
		}
		expect(calls.map((call) => call.commands.length)).toEqual([BATCH_LIMIT, BATCH_LIMIT, 1]);
		expect(await replies).toEqual(commands.map(({ key }) => `reply to ${key}`));
	});

	it('splits what has too many characters', async () => {
		const { calls, batcher } = slowStore();
		const large = 'x'.repeat(5 * 1024 * 1024);
		const replies = batcher.send([command(large), command(large)]);
		await settled();
		calls[0].end();
		await settled();
		calls[1].end();
		expect(await replies).toHaveLength(2);
		expect(calls.map((call) => call.commands.length)).toEqual([1, 1]);
	});

	it('sends apart what has too many characters together', async () => {
		const { calls, batcher } = slowStore();
		const large = 'x'.repeat(5 * 1024 * 1024);
		const all = ['a', large, large, 'b'].map((key) => batcher.send([command(key)]));
		for (const length of [2, 2]) {
			await settled();
			expect(calls.at(-1)!.commands).toHaveLength(length);
			calls.at(-1)!.end();
		}
		await Promise.all(all);
		expect(calls).toHaveLength(2);
	});

	it('has nobody pay for the mistake of another one in the same call', async () => {
		const { calls, batcher } = slowStore();
		const first = batcher.send([command('1')]);
		await settled();
		const good = batcher.send([command('good')]);
		const bad = batcher.send([command('bad')]);
		calls[0].end();
		await settled();
		calls[1].fail(new Error('one of them is bad'));
		await settled();
		expect(calls[2].commands).toEqual([command('good')]);
		calls[2].end();
		await settled();
		calls[3].fail(new Error('this one'));
		await first;
		await expect(good).resolves.toEqual(['reply to good']);
		await expect(bad).rejects.toThrow('this one');
	});

	it('tells all of a call that the store is away, and does not try for each of them', async () => {
		const { calls, batcher } = slowStore();
		const first = batcher.send([command('1')]);
		await settled();
		const others = [batcher.send([command('2')]), batcher.send([command('3')])];
		calls[0].end();
		await settled();
		calls[1].fail(new LedgerUnavailableError('away', 'wait'));
		await first;
		for (const other of others) await expect(other).rejects.toThrow(LedgerUnavailableError);
		expect(calls).toHaveLength(2);
	});

	it('answers an empty batch without asking', async () => {
		const { calls, batcher } = slowStore();
		expect(await batcher.send([])).toEqual([]);
		expect(calls).toHaveLength(0);
	});
});
