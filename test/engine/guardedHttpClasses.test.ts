import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../httpServer/FaultServer';
import {
	deliverAgain,
	deliverGuarded,
	GUARDED,
	guarded,
	guardedFlow,
	stored,
	useServer,
	WITH_KEY,
} from './guarded';
import type { EngineRun } from './harness';
import { onEveryLedger } from './ledgers';

const at = useServer();

const drop: Fault = { kind: 'dropBefore' };
const dropAfter: Fault = { kind: 'dropAfter' };
const midBody: Fault = { kind: 'closeMidBody' };
const slow: Fault = { kind: 'slow', ms: 400 };
const status = (code: number, headers: Record<string, string> = {}): Fault => ({
	kind: 'answer',
	status: code,
	headers,
});
const times = (count: number, fault: Fault): Fault[] => Array.from({ length: count }, () => fault);

/** How the destination can be trusted. */
const MODES: Record<string, IDataObject> = {
	'no key': {},
	key: WITH_KEY,
	'key, 409 in progress': { ...WITH_KEY, keyConflict: 'in_progress' },
	'key, 409 exists': { ...WITH_KEY, keyConflict: 'exists' },
	PUT: { method: 'PUT' },
	DELETE: { method: 'DELETE' },
};

type Verdict = 'done' | 'review' | 'error';

function verdict(run: EngineRun): Verdict {
	if (run.status === 'error') return 'error';
	return run.items(GUARDED, 0).length === 1 ? 'done' : 'review';
}

interface Case {
	what: string;
	mode?: string;
	script: Fault[];
	options?: IDataObject;
	is: Verdict;
	/** How many requests it took. */
	requests: number;
	effects: number;
	step: 'done' | 'started' | 'failed';
	event?: 'processing' | 'review' | 'failed';
	/** What comes of the next delivery; nothing more is sent unless it says so. */
	again: Verdict;
	requestsAgain?: number;
}

const CASES: Case[] = [
	// Answered.
	{ what: 'success', script: [], is: 'done', requests: 1, effects: 1, step: 'done', again: 'done' },
	{
		what: '303',
		script: [{ kind: 'answer', status: 303, acts: true }],
		is: 'done',
		requests: 1,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '400',
		script: [status(400)],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '307',
		script: [status(307, { location: '/b' })],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '302',
		script: [{ kind: 'answer', status: 302, acts: true }],
		is: 'review',
		requests: 1,
		effects: 1,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: '429 twice',
		script: times(2, status(429)),
		is: 'done',
		requests: 3,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '429 with a short wait',
		script: [status(429, { 'retry-after': '0' })],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '429 always',
		script: times(4, status(429)),
		is: 'error',
		requests: 4,
		effects: 0,
		step: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '429 with a long wait',
		script: [status(429, { 'retry-after': '3600' })],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'failed',
		event: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '425',
		script: [status(425)],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '500',
		script: [status(500)],
		is: 'review',
		requests: 1,
		effects: 0,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: '408',
		script: [status(408)],
		is: 'review',
		requests: 1,
		effects: 0,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: '500 after acting',
		script: [{ kind: 'answer', status: 500, acts: true }],
		is: 'review',
		requests: 1,
		effects: 1,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: '500, then 200',
		mode: 'key',
		script: [status(500)],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '503 with a long wait',
		mode: 'key',
		script: [status(503, { 'retry-after': '3600' })],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'started',
		event: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '500 always',
		mode: 'key',
		script: times(4, status(500)),
		is: 'error',
		requests: 4,
		effects: 0,
		step: 'started',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '500, then 400',
		mode: 'key',
		script: [status(500), status(400)],
		is: 'error',
		requests: 2,
		effects: 0,
		step: 'started',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '409 in progress',
		mode: 'key, 409 in progress',
		script: times(2, status(409)),
		is: 'done',
		requests: 3,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '409',
		script: [status(409)],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: '409 exists',
		mode: 'key, 409 exists',
		script: [status(409)],
		is: 'done',
		requests: 1,
		effects: 0,
		step: 'done',
		again: 'done',
	},
	// Outcome unknown.
	{
		what: 'lost before',
		script: [drop],
		is: 'review',
		requests: 1,
		effects: 0,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: 'lost after',
		script: [dropAfter],
		is: 'review',
		requests: 1,
		effects: 1,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: 'broken off',
		script: [midBody],
		is: 'review',
		requests: 1,
		effects: 1,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: 'too slow',
		script: [slow],
		is: 'review',
		requests: 1,
		effects: 1,
		step: 'started',
		event: 'review',
		again: 'review',
	},
	{
		what: 'lost before',
		mode: 'key',
		script: [drop],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: 'lost after',
		mode: 'key',
		script: [dropAfter],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: 'lost after, twice',
		mode: 'key',
		script: times(2, dropAfter),
		is: 'done',
		requests: 3,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: 'broken off',
		mode: 'key',
		script: [midBody],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: 'lost always',
		mode: 'key',
		script: times(4, dropAfter),
		is: 'error',
		requests: 4,
		effects: 1,
		step: 'started',
		again: 'done',
		requestsAgain: 1,
	},
	{
		what: 'lost after',
		mode: 'PUT',
		script: [dropAfter],
		is: 'done',
		requests: 2,
		effects: 2,
		step: 'done',
		again: 'done',
	},
	{
		what: '500',
		mode: 'PUT',
		script: [status(500)],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: 'lost after, then gone',
		mode: 'DELETE',
		script: [dropAfter, status(404)],
		is: 'done',
		requests: 2,
		effects: 1,
		step: 'done',
		again: 'done',
	},
	{
		what: '404',
		mode: 'DELETE',
		script: [status(404)],
		is: 'error',
		requests: 1,
		effects: 0,
		step: 'failed',
		again: 'done',
		requestsAgain: 1,
	},
];

onEveryLedger((on) => {
	it.each(CASES.map((each): [string, string, Case] => [each.what, each.mode ?? 'no key', each]))(
		'%s (%s)',
		async (what, mode, { script, options, is, ...expected }) => {
			const { server } = at;
			const id = `${what} ${mode} ${Math.random()}`;
			server.honoursKeys = mode.startsWith('key');
			server.script(id, script);
			const flow = guardedFlow(guarded(server, { ...MODES[mode], options: { ...options } }));
			const method = String(MODES[mode].method ?? 'POST');
			const sent = () => server.requests(id, method).length;

			const run = await deliverGuarded(on, flow, [{ id }]);
			// A slow server acts in its own time.
			if (script.includes(slow)) await new Promise((resolve) => setTimeout(resolve, slow.ms));
			const { event, steps } = await stored(on, flow.id, id);
			expect({
				is: verdict(run),
				requests: sent(),
				effects: server.effects(id),
				event: event.state,
				step: steps[0].state,
			}).toEqual({
				is,
				requests: expected.requests,
				effects: expected.effects,
				event: expected.event ?? 'processing',
				step: expected.step,
			});
			expect(steps[0].tries).toBe(expected.requests);

			server.script(id, []);
			const again = await deliverAgain(on, flow, id);
			const isStopped = again.nodes.includes(GUARDED) === false;
			expect(isStopped ? 'review' : verdict(again)).toBe(expected.again);
			expect(sent()).toBe(expected.requests + (expected.requestsAgain ?? 0));
			if (mode !== 'PUT' && mode !== 'DELETE') expect(server.effects(id)).toBeLessThanOrEqual(1);
			// The same key every time.
			const keys = server.requests(id, method).map(({ headers }) => headers['idempotency-key']);
			expect(new Set(keys).size).toBe(1);
		},
	);
});
