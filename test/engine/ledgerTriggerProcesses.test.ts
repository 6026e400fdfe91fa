import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

import { workflow } from './harness';
import type { PollerOrder } from './killed/poller';
import { claimed } from './ledgerNode';
import { type LedgerUnderTest, onEveryLedger } from './ledgers';

const ROOT = join(__dirname, '../..');
const EVENTS = 30;

/** Short, so that a test can wait for its end. */
const VISIBILITY_SECONDS = 3;

const pollers: ChildProcess[] = [];
afterEach(() => {
	for (const poller of pollers.splice(0)) poller.kill('SIGKILL');
});

/** Starts a process that polls; resolves to what it was handed out, when it is there. */
async function startPoller(on: LedgerUnderTest, namespace: string): Promise<string[]> {
	const flow = workflow([
		{
			name: 'Ledger Trigger',
			type: 'ledgerTrigger',
			parameters: {
				eventsOf: 'namespace',
				namespace,
				visibilityMinutes: VISIBILITY_SECONDS / 60,
				options: { backoffMinutes: 0, maxEvents: 4 },
			},
		},
	]);
	const order: PollerOrder = { flow, credentials: on.credentials, polls: 5 };
	const child = fork(join(__dirname, 'killed/poller.ts'), [JSON.stringify(order)], {
		cwd: ROOT,
		execArgv: ['--import', 'tsx'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	pollers.push(child);
	const [keys] = (await once(child, 'message')) as [string[]];
	return keys;
}

onEveryLedger((on) => {
	it('processes that poll at the same time share the work, and what a killed one had is handed out again', async () => {
		const namespace = randomUUID();
		const keys = Array.from({ length: EVENTS }, (_, i) => `k${String(i).padStart(2, '0')}`);
		for (const key of keys) {
			const held = await claimed(on, namespace, key);
			await on.ledger.failEvents([{ ...held, reason: 'down' }]);
		}
		const shares = await Promise.all([startPoller(on, namespace), startPoller(on, namespace)]);
		expect(shares.flat().sort()).toEqual(keys);
		const histories = await on.ledger.histories(keys.map((key) => ({ namespace, key })));
		for (const history of histories) {
			expect(history.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
		}

		// Both die before anything came of it: after the time-out it is all there again.
		for (const poller of pollers.splice(0)) poller.kill('SIGKILL');
		const again = new Set<string>();
		const request = { kinds: ['failed' as const], namespace, by: 'next poller', limit: 1000 };
		const deadline = Date.now() + 60_000;
		while (again.size < keys.length && Date.now() < deadline) {
			for (const { event } of await on.ledger.take(request)) {
				expect(again.has(event.key)).toBe(false);
				again.add(event.key);
				const taken = (await on.ledger.history(event)).filter(({ kind }) => kind === 'taken');
				expect(taken[1].at - taken[0].at).toBeGreaterThanOrEqual(VISIBILITY_SECONDS * 1000);
			}
		}
		expect([...again].sort()).toEqual(keys);
	});
});
