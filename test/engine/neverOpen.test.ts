import { NodeOperationError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { RecordLedger } from '../../ledger/RecordLedger';
import {
	claim,
	claimStep,
	complete,
	counter,
	deliver,
	eventFlow,
	idempotency,
	outcomes,
	stepDone,
	withOutputs,
} from './events';
import { defineNode, type EngineRun, type NodeSpec, retryExecution } from './harness';
import { type LedgerUnderTest, onEmbeddedLedger, onEveryLedger } from './ledgers';

type Settings = Partial<NodeSpec>;

const CONTINUE: Settings = { onError: 'continueRegularOutput' };
const CONTINUE_OLD: Settings = { continueOnFail: true };
const ERROR_OUTPUT: Settings = { onError: 'continueErrorOutput' };

/** Claim Event with these settings, and behind New a node that must not run for what was not claimed. */
function guarded(settings: Settings, guard = claim()) {
	const act = counter('act');
	const flow = withOutputs([
		{ ...guard, ...settings },
		{ name: 'Act', type: 'act' },
	]);
	return { act, flow, nodes: [act.node] };
}

function unreachable(credential: ICredentialDataDecryptedObject): LedgerUnderTest {
	return { credentials: { idempotencyLedgerApi: credential } } as unknown as LedgerUnderTest;
}

/** A port that nobody listens on, and a file where no file can be. */
const AWAY: Record<string, ICredentialDataDecryptedObject> = {
	embedded: { store: 'embedded', file: '/dev/null/ledger.sqlite' },
	postgres: { store: 'postgres', connectWith: 'url', url: 'postgres://u:p@127.0.0.1:1/d' },
	redis: { store: 'redis', topology: 'single', host: '127.0.0.1', port: 1 },
};

describe.each(Object.keys(AWAY))('with an unreachable %s ledger', (store) => {
	const on = unreachable(AWAY[store]);

	// All of them wait for as long as the ledger is patient, so they do it together.
	let stopped: EngineRun;
	let continued: EngineRun;
	let old: EngineRun;
	let errorOutput: EngineRun;
	let step: EngineRun;
	let answered: EngineRun;
	const acts: unknown[][] = [];

	beforeAll(async () => {
		const start = async (settings: Settings, guard?: NodeSpec) => {
			const { act, flow, nodes } = guarded(settings, guard);
			acts.push(act.seen);
			return await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes });
		};
		[stopped, continued, old, errorOutput, step, answered] = await Promise.all([
			start({}),
			start(CONTINUE),
			start(CONTINUE_OLD),
			start(ERROR_OUTPUT),
			start(CONTINUE, claimStep('s', { options: { key: 'a' } })),
			start(CONTINUE, claim({ answerWebhook: true })),
		]);
	}, 90_000);

	it('stops', () => {
		expect(stopped.status).toBe('error');
		expect(stopped.error?.description).toBeTruthy();
	});

	it("sends all items to Needs Review with the reason, if 'Continue' is set", () => {
		for (const run of [continued, old]) {
			expect(run.status).toBe('success');
			expect(outcomes(run)).toEqual([[], [], ['error', 'error']]);
			const [{ reason, claimed, attempt, httpStatus }] = idempotency(run, 'Needs Review');
			expect(reason).toMatch(/\w/);
			expect([claimed, attempt, httpStatus]).toEqual([false, undefined, 500]);
		}
		expect(continued.json('Needs Review')).toMatchObject([{ id: 'a' }, { id: 'b' }]);
	});

	it("sends all items to the error output, if 'Continue (using error output)' is set", () => {
		expect(errorOutput.status).toBe('success');
		expect([0, 1, 2].map((output) => errorOutput.items('Claim Event', output))).toEqual([
			[],
			[],
			[],
		]);
		expect(errorOutput.json('Claim Event', 3)).toHaveLength(2);
		expect(errorOutput.json('Claim Event', 3)[0].error).toMatch(/\w/);
	});

	it('does the same for steps', () => {
		expect(step.status).toBe('success');
		expect(step.items('Claim s')).toEqual([]);
		expect(step.items('Claim s', 2)).toHaveLength(2);
	});

	it('has the sender deliver again', () => {
		expect(answered.responses).toMatchObject([{ statusCode: 500 }]);
	});

	it('lets nothing through', () => {
		expect(acts).toHaveLength(6);
		expect(acts.flat()).toEqual([]);
	});
});

onEveryLedger((on) => {
	it('sends an item that failed before to Needs Review and claims the others', async () => {
		const { act, flow, nodes } = guarded({});
		const failing = defineNode('failing', async function () {
			const error = new NodeOperationError(this.getNode(), 'No customer');
			const [first, second] = this.getInputData();
			return [[{ ...first, error, pairedItem: { item: 0 } }, second]];
		});
		flow.nodes.push({ ...flow.nodes[0], id: 'f', name: 'Failing', type: 'failing' });
		flow.connections.Webhook.main = [[{ node: 'Failing', type: 'main', index: 0 }]];
		flow.connections.Failing = { main: [[{ node: 'Claim Event', type: 'main', index: 0 }]] };
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [...nodes, failing] });
		expect(run.status).toBe('success');
		expect(act.seen).toEqual(['b']);
		expect(idempotency(run, 'Needs Review')[0].reason).toMatch(
			/^This item failed before it came here: No customer\. It was not claimed/,
		);
	});

	it('claims again what it has claimed, when the node is run again by Retry On Fail', async () => {
		const { claimEvents } = RecordLedger.prototype;
		let fail = true;
		// Written, and the answer lost: the worst that can happen to a try.
		const lossy = jest
			.spyOn(RecordLedger.prototype, 'claimEvents')
			.mockImplementation(async function (this: RecordLedger, requests) {
				const results = await claimEvents.call(this, requests);
				if (fail) {
					fail = false;
					throw new Error('Connection lost');
				}
				return results;
			});
		const { act, flow, nodes } = guarded({ retryOnFail: true, waitBetweenTries: 1 });
		try {
			const run = await deliver(on, flow, [{ id: 'a' }, { id: 'a' }], { nodes });
			expect(run.error).toBeUndefined();
			expect(outcomes(run)).toEqual([['resumed'], ['in_progress'], []]);
			expect(act.seen).toEqual(['a']);
		} finally {
			lossy.mockRestore();
		}
	});

	it("is not put off by an 'error' in the data, which n8n takes for a failure of the node", async () => {
		const { act, flow, nodes } = guarded({ retryOnFail: true, waitBetweenTries: 1, maxTries: 2 });
		flow.nodes.push({ ...flow.nodes[1], ...complete(), id: 'c' } as never);
		flow.connections.Act = { main: [[{ node: 'Complete', type: 'main', index: 0 }]] };
		const run = await deliver(on, flow, [{ id: 'a', error: 'declined' }], { nodes });
		expect(run.error).toBeUndefined();
		expect(act.seen).toEqual(['a']);
		expect(idempotency(run, 'Complete')).toMatchObject([{ attempt: 2, state: 'done' }]);
	});

	it('knows the claim of an execution in its retry by hand, and nowhere else', async () => {
		const act = counter('act');
		let broken = true;
		const breaking = defineNode('breaking', async function () {
			if (broken) throw new NodeOperationError(this.getNode(), 'Down');
			return [this.getInputData()];
		});
		const flow = withOutputs([
			claim(),
			{ name: 'Act', type: 'act' },
			{ name: 'Breaking', type: 'breaking' },
			complete(),
		]);
		const nodes = [act.node, breaking];
		const failed = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '1' });
		broken = false;
		// Delivered again before anybody presses Retry: nothing happens twice.
		const redelivered = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '2' });
		expect(outcomes(redelivered)).toEqual([[], ['in_progress'], []]);
		const retried = await retryExecution(failed, { executionId: '3' });
		expect(retried.status).toBe('success');
		expect(idempotency(retried, 'Complete')).toMatchObject([{ state: 'done', attempt: 1 }]);
		expect(act.seen).toEqual(['a']);
	});

	it('is fenced off after a takeover, when its execution is retried by hand', async () => {
		let broken = true;
		const breaking = defineNode('breaking', async function () {
			if (broken) throw new NodeOperationError(this.getNode(), 'Down');
			return [this.getInputData()];
		});
		const flow = withOutputs([
			claim({ onStopped: 'takeover' }),
			{ name: 'Breaking', type: 'breaking' },
			stepDone('s'),
		]);
		const nodes = [breaking];
		const failed = await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '1' });
		broken = false;
		await on.expireLease({ namespace: flow.id, key: 'a' });
		await deliver(on, flow, [{ id: 'a' }], { nodes, executionId: '2' });
		const retried = await retryExecution(failed, { executionId: '3' });
		expect(retried.error?.message).toMatch('attempt 2 of execution 2 took over');
	});
});

onEmbeddedLedger((on) => {
	it.each([
		['alone', {}],
		['with Continue', CONTINUE],
		['with Continue (using error output)', ERROR_OUTPUT],
		['with Retry On Fail', { retryOnFail: true, waitBetweenTries: 1 }],
		['with Continue and Retry On Fail', { ...CONTINUE, retryOnFail: true, waitBetweenTries: 1 }],
	])("refuses 'Always Output Data' %s", async (_, settings) => {
		const { act, flow, nodes } = guarded({ ...settings, alwaysOutputData: true });
		const run = await deliver(on, flow, [{ id: 'a' }], { nodes });
		expect(act.seen).toEqual([]);
		const found = run.error ?? {
			message: JSON.stringify([run.json('Claim Event', 2), run.items('Claim Event', 3)]),
		};
		expect(found.message).toMatch("The setting 'Always Output Data' is on");
		if (run.status === 'success') expect(run.items('Claim Event')).toEqual([]);
		expect(run.status).toBe('onError' in settings ? 'success' : 'error');
		expect(await on.ledger.get([{ namespace: flow.id, key: 'a' }])).toEqual([undefined]);
		// The workflow's own node is as it was.
		expect(flow.nodes[1].alwaysOutputData).toBe(true);
	});

	it("refuses 'Always Output Data' in every round of a loop", async () => {
		const act = counter('act');
		const guard = { ...claim(), ...CONTINUE, alwaysOutputData: true };
		const flow = eventFlow(
			[
				{ name: 'Loop', type: 'splitInBatches', parameters: { batchSize: 1 } },
				guard,
				{ name: 'Act', type: 'act' },
				{ name: 'Next', type: 'noOp' },
			],
			[
				['Webhook', 'Loop'],
				['Loop', 'Claim Event', 1],
				['Claim Event', 'Act'],
				['Claim Event', 'Next', 2],
				['Next', 'Loop'],
			],
		);
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }], { nodes: [act.node] });
		expect(run.status).toBe('success');
		expect(run.runs('Claim Event')).toBe(2);
		expect(act.seen).toEqual([]);
	});

	it.each([
		['Continue', CONTINUE],
		['Continue (using error output)', ERROR_OUTPUT],
	])('stops when something unforeseen is thrown, even with %s', async (_, settings) => {
		const { act, flow, nodes } = guarded(settings, claim({ answerWebhook: true }));
		const { ExecuteContext } = await import('n8n-core');
		const unforeseen = jest
			.spyOn(ExecuteContext.prototype, 'addExecutionHints')
			.mockImplementation(() => {
				throw new Error('Unforeseen');
			});
		try {
			const run = await deliver(on, flow, [{ id: 'a' }], { nodes });
			expect(run.error?.message).toBe('Unforeseen');
			expect(act.seen).toEqual([]);
		} finally {
			unforeseen.mockRestore();
		}
	});

	it.each([
		['Continue', CONTINUE],
		['Continue (using error output)', ERROR_OUTPUT],
	])('sends only what is malformed to review with %s', async (_, settings) => {
		const { act, flow, nodes } = guarded(settings);
		const items = [{ id: '' }, { id: 'b' }, { nothing: true }, { id: 'd' }];
		const run = await deliver(on, flow, items, { nodes });
		expect(run.status).toBe('success');
		expect(act.seen).toEqual(['b', 'd']);
		const refused =
			settings === CONTINUE ? run.items('Claim Event', 2) : run.items('Claim Event', 3);
		expect(refused.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	});

	it("claims and passes on only the first item with 'Execute Once', and says so", async () => {
		const { act, flow, nodes } = guarded({ executeOnce: true });
		const run = await deliver(on, flow, [{ id: 'a' }, { id: 'b' }, { id: 'c' }], { nodes });
		expect(act.seen).toEqual(['a']);
		expect(await on.ledger.get([{ namespace: flow.id, key: 'b' }])).toEqual([undefined]);
		expect(run.hints('Claim Event')[1]).toMatchObject({
			type: 'warning',
			message: "'Execute Once' is on: 2 of 3 items were not claimed and go nowhere",
		});
	});

	it('writes nothing to the ledger for pinned data that was not claimed', async () => {
		const flow = withOutputs([claim(), complete()]);
		const pinData = { 'Claim Event': [{ json: { id: 'a' } }] };
		const run = await deliver(on, flow, [{ id: 'a' }], { pinData, mode: 'manual' });
		expect(run.error?.message).toBe('No claim was found for this item');
		expect(await on.ledger.get([{ namespace: flow.id, key: 'a' }])).toEqual([undefined]);
	});

	it('takes pinned data for what it is: a claim of an earlier run', async () => {
		const flow = withOutputs([claim({ onStopped: 'takeover' }), stepDone('s')]);
		const first = await deliver(on, flow, [{ id: 'a' }], { executionId: '1' });
		const pinData = { 'Claim Event': first.items('Claim Event') };
		await on.expireLease({ namespace: flow.id, key: 'a' });
		await deliver(on, flow, [{ id: 'a' }], { executionId: '2' });
		const pinned = await deliver(on, flow, [{ id: 'a' }], { pinData, mode: 'manual' });
		expect(pinned.error?.message).toBe(
			"The claim on 'a' that this item shows belongs to execution 1 and not to this one",
		);
	});

	it('finds no claim behind a deactivated Claim Event', async () => {
		const flow = withOutputs([{ ...claim(), disabled: true }, claimStep('s'), complete()]);
		const run = await deliver(on, flow, [{ id: 'a' }]);
		expect(run.error?.message).toBe('No claim was found for this item');
	});

	it('gives an agent the error as text, and stops nothing', async () => {
		const { ClaimEvent } = await import('../../nodes/ClaimEvent/ClaimEvent.node');
		const asTool = new ClaimEvent();
		asTool.description = { ...asTool.description, name: 'claimEventTool' };
		const tool = { ...claim(), type: 'claimEventTool', ...CONTINUE };
		const run = await deliver(unreachable(AWAY.embedded), eventFlow([tool]), [{ id: 'a' }], {
			nodes: [asTool],
		});
		expect(run.json('Claim Event')).toMatchObject([
			{ summary: '1 error', events: [{ outcome: 'error', claimed: false }] },
		]);
	});
});
