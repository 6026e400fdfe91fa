import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { idempotency, stored } from './events';
import { deliverAgain, GUARDED, guarded, guardedFlow, useServer, WITH_KEY } from './guarded';
import type { WorkflowJson } from './harness/workflow';
import { type Boundary, BOUNDARIES, type Order } from './killed/order';
import { onEveryLedger } from './ledgers';

/** What the run after a killed one ends with, how many requests were sent in all, and how often it happened. */
type Outcome = [
	ending: 'sent' | 'replayed' | 'adopted' | 'in_doubt',
	requests: number,
	effects: number,
];

const MODES = ['no key', 'key', 'look-up', 'PUT'] as const;
type Mode = (typeof MODES)[number];

/** The table in the README. */
const OUTCOMES: Record<Boundary, Record<Mode, Outcome>> = {
	'before begin': {
		'no key': ['sent', 1, 1],
		key: ['sent', 1, 1],
		'look-up': ['sent', 1, 1],
		PUT: ['sent', 1, 1],
	},
	'after begin': {
		'no key': ['in_doubt', 0, 0],
		key: ['sent', 1, 1],
		'look-up': ['sent', 1, 1],
		PUT: ['sent', 1, 1],
	},
	'request sent': {
		'no key': ['in_doubt', 1, 0],
		key: ['sent', 2, 1],
		'look-up': ['sent', 2, 1],
		PUT: ['sent', 2, 1],
	},
	'effect happened': {
		'no key': ['in_doubt', 1, 1],
		key: ['sent', 2, 1],
		'look-up': ['adopted', 1, 1],
		// What a PUT does twice is the same as once.
		PUT: ['sent', 2, 2],
	},
	'before finish': {
		'no key': ['in_doubt', 1, 1],
		key: ['sent', 2, 1],
		'look-up': ['adopted', 1, 1],
		PUT: ['sent', 2, 2],
	},
	'after finish': {
		'no key': ['replayed', 1, 1],
		key: ['replayed', 1, 1],
		'look-up': ['replayed', 1, 1],
		PUT: ['replayed', 1, 1],
	},
};

onEveryLedger((on) => {
	const at = useServer();

	function parameters(mode: Mode): IDataObject {
		const lookUp = {
			lookUp: true,
			lookUpUrl: `=${at.server.url('').replace(/id=$/, 'id={{ $json.id }}')}`,
			lookUpResults: 'data',
		};
		const chosen = { 'no key': {}, key: WITH_KEY, 'look-up': lookUp, PUT: { method: 'PUT' } }[mode];
		// Nobody hurries: the process is killed first.
		return { ...chosen, options: { timeout: 60_000 } };
	}

	it.each(BOUNDARIES)('killed at the boundary: %s', async (boundary) => {
		const { server } = at;
		const runs = MODES.map((mode) => ({
			mode,
			id: `${mode} ${randomUUID()}`,
			flow: guardedFlow(guarded(server, parameters(mode))),
		}));
		server.honoursKeys = (id) => id.startsWith('key ');
		await killAt(boundary, runs);

		const found: Record<string, unknown> = {};
		for (const { mode, id, flow } of runs) {
			const before = await stored(on, flow.id, id);
			expect(before.event.state).toBe('processing');
			const again = await deliverAgain(on, flow, id);
			const [done] = idempotency(again, GUARDED).map(({ step }) => (step as IDataObject).outcome);
			const [review] = idempotency(again, GUARDED, 1).map(({ outcome }) => outcome);
			const requests = server.requests(id, mode === 'PUT' ? 'PUT' : 'POST').length;
			found[mode] = [done ?? review, requests, server.effects(id)];

			const { event, steps } = await stored(on, flow.id, id);
			expect(steps[0].state).toBe(done ? 'done' : 'started');
			expect(event.state).toBe(done ? 'processing' : 'review');
		}
		expect(found).toEqual(OUTCOMES[boundary]);
	});

	/** Starts a process that runs the flows, and kills it when all of them are at the boundary. */
	async function killAt(
		boundary: Boundary,
		flows: Array<{ flow: WorkflowJson; id: string }>,
	): Promise<void> {
		const { server } = at;
		let missing = flows.length;
		let arrive: () => void;
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const there = () => void (--missing === 0 && arrive());
		let cut: (error: Error) => void;
		const killed = new Promise<never>((_, reject) => (cut = reject));
		killed.catch(() => {});
		const stay = async () => {
			there();
			await killed;
		};
		if (boundary === 'request sent') server.onRequest = stay;
		if (boundary === 'effect happened') server.onEffect = stay;

		const order: Order = { flows, credentials: on.credentials, boundary };
		const child = fork(join(__dirname, 'killed/program.ts'), [JSON.stringify(order)], {
			execArgv: ['--import', 'tsx'],
			stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		});
		let complaints = '';
		child.stderr!.on('data', (text) => (complaints += text));
		child.on('message', there);
		const closed = once(child, 'close');
		const died = closed.then(() => Promise.reject(new Error(`It ended by itself: ${complaints}`)));
		await Promise.race([arrived, died]);
		died.catch(() => {});
		child.kill('SIGKILL');
		await closed;
		server.onRequest = server.onEffect = undefined;
		cut!(new Error('The client is gone'));
	}
});
