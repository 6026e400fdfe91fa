import { LedgerUnavailableError } from '../../../ledger/errors';
import { Lane } from '../../../ledger/Lane';
import { BATCH_LIMIT } from '../../../ledger/Store';

interface Command {
	key: string;
}

/** A store whose calls end when the test says so. */
function slowStore() {
	const calls: Array<{ commands: Command[]; end(): void; fail(error: Error): void }> = [];
	const lane = new Lane<Command, string>(
		(commands) =>
			new Promise((resolve, reject) => {
				calls.push({
					commands,
					end: () => resolve(commands.map(({ key }) => `reply to ${key}`)),
					fail: reject,
				});
			}),
	);
	return { calls, lane };
}

const command = (key: string): Command => ({ key });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Lane', () => {
	it('sends at once when it is free, and lets those that come meanwhile travel together', async () => {
		const { calls, lane } = slowStore();
		const replies = ['a', 'b', 'c', 'd', 'e'].map((key) => lane.send([command(key)]));
		expect(calls.map(({ commands }) => commands)).toEqual([[command('a')], [command('b')]]);

		calls[0].end();
		await settled();
		expect(calls[2].commands).toEqual([command('c'), command('d'), command('e')]);
		calls[1].end();
		calls[2].end();
		expect(await Promise.all(replies)).toEqual(
			['a', 'b', 'c', 'd', 'e'].map((key) => [`reply to ${key}`]),
		);
		expect(calls).toHaveLength(3);
	});

	it('splits what is too much for one call, and keeps the order', async () => {
		const { calls, lane } = slowStore();
		const commands = Array.from({ length: 2 * BATCH_LIMIT + 1 }, (_, i) => command(String(i)));
		const replies = lane.send(commands);
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
		const { calls, lane } = slowStore();
		const large = 'x'.repeat(5 * 1024 * 1024);
		const replies = lane.send([command(large), command(large)]);
		calls[0].end();
		await settled();
		calls[1].end();
		expect(await replies).toHaveLength(2);
		expect(calls.map((call) => call.commands.length)).toEqual([1, 1]);
	});

	it('has nobody pay for the mistake of another one in the same call', async () => {
		const { calls, lane } = slowStore();
		const first = [lane.send([command('1')]), lane.send([command('2')])];
		const good = lane.send([command('good')]);
		const bad = lane.send([command('bad')]);
		calls[0].end();
		await settled();
		calls[2].fail(new Error('one of them is bad'));
		await settled();
		expect(calls[3].commands).toEqual([command('good')]);
		calls[3].end();
		await settled();
		calls[4].fail(new Error('this one'));
		calls[1].end();
		await Promise.all(first);
		await expect(good).resolves.toEqual(['reply to good']);
		await expect(bad).rejects.toThrow('this one');
	});

	it('tells all of a call that the store is away, and does not try for each of them', async () => {
		const { calls, lane } = slowStore();
		const first = [lane.send([command('1')]), lane.send([command('2')])];
		const others = [lane.send([command('3')]), lane.send([command('4')])];
		calls[0].end();
		await settled();
		calls[2].fail(new LedgerUnavailableError('away', 'wait'));
		calls[1].end();
		await Promise.all(first);
		for (const other of others) await expect(other).rejects.toThrow(LedgerUnavailableError);
		expect(calls).toHaveLength(3);
	});

	it('answers an empty batch without asking', async () => {
		const { calls, lane } = slowStore();
		expect(await lane.send([])).toEqual([]);
		expect(calls).toHaveLength(0);
	});
});
