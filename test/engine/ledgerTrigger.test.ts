import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JsonValue } from '../../ledger/records';
import { LedgerTrigger } from '../../nodes/LedgerTrigger/LedgerTrigger.node';
import {
	claim,
	claimStep,
	complete,
	counter,
	deliver,
	eventFlow,
	idempotency,
	OUR_NODES,
	outcomes,
	stepDone,
} from './events';
import { type NodeSpec, poll, type RunOptions } from './harness';
import type { Link, WorkflowJson } from './harness/workflow';
import { claimed } from './ledgerNode';
import { type LedgerUnderTest, onEveryLedger } from './ledgers';

function trigger(options: IDataObject = {}, parameters: IDataObject = {}): NodeSpec {
	return {
		name: 'Ledger Trigger',
		type: 'ledgerTrigger',
		parameters: { options: { backoffMinutes: 0, ...options }, ...parameters } as never,
	};
}

/** A webhook and a Ledger Trigger that lead to the same Derive Key, Claim Event, two steps and the end. */
function orders({ claimOptions = {}, again = trigger() } = {}) {
	const invoice = counter('invoice');
	const email = counter('email');
	const derive: NodeSpec = {
		name: 'Derive Key',
		type: 'deriveKey',
		parameters: { source: 'field', value: '={{ $json.body.id }}' },
	};
	const guard = {
		...claim({ onStopped: 'takeover', ...claimOptions }),
		parameters: { options: { onStopped: 'takeover', ...claimOptions } } as never,
	};
	const steps: NodeSpec[] = [
		claimStep('invoice'),
		{ name: 'Invoice', type: 'invoice' },
		stepDone('invoice'),
		claimStep('email'),
		{ name: 'Email', type: 'email' },
		stepDone('email'),
		complete({ result: '={{ { ok: true } }}' }),
	];
	const chain = [guard, ...steps].map(({ name }) => name);
	const links: Link[] = [
		['Webhook', 'Derive Key'],
		['Ledger Trigger', 'Derive Key'],
		['Derive Key', 'Claim Event'],
		...chain.slice(1).map((name, i): Link => [chain[i], name]),
		['Claim invoice', 'Claim email', 1],
		['Claim email', 'Complete', 1],
	];
	const flow = eventFlow([again, derive, guard, ...steps], links);
	return { flow, invoice, email, nodes: [LedgerTrigger, invoice.node, email.node] };
}

const body = (id: string) => ({ headers: { 'x-api-key': 'secret' }, body: { id } });

/** An event that was claimed with this input and given up, with one attempt left. */
async function failed(on: LedgerUnderTest, namespace: string, key: string, input: JsonValue) {
	const held = await claimed(on, namespace, key, { maxAttempts: 2, input });
	await on.ledger.failEvents([{ ...held, reason: 'down' }]);
}

async function pollOn(on: LedgerUnderTest, flow: WorkflowJson, options: RunOptions = {}) {
	return await poll(flow, 'Ledger Trigger', {
		credentials: on.credentials,
		...options,
		nodes: [...OUR_NODES, LedgerTrigger, ...(options.nodes ?? [])],
	});
}

function keys(executions: INodeExecutionData[][]): unknown[][] {
	return executions.map((items) =>
		items.map(({ json }) => (json.idempotency as IDataObject | undefined)?.key ?? json.key),
	);
}

onEveryLedger((on) => {
	it('runs a stuck event again where it stopped, and nothing while its lease is live', async () => {
		const { flow, invoice, email, nodes } = orders();
		const key = 'v1:field:a';
		const address = { namespace: flow.id, key };
		// The run dies while the email is to be sent: the invoice is made.
		const [first, second] = nodes.slice(1);
		const dead = await deliver(on, flow, [body('a')], {
			nodes: [
				LedgerTrigger,
				first,
				{ ...second, execute: () => Promise.reject(new Error('dead')) },
			],
		} as RunOptions);
		expect(dead.error).toBeDefined();
		const [before] = await on.ledger.get([address]);
		expect(before!.steps).toMatchObject([
			{ name: 'invoice', state: 'done' },
			{ name: 'email', state: 'started' },
		]);

		expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);
		await on.expireLease(address);
		const executions = await pollOn(on, flow, { nodes: nodes.slice(1) });
		expect(keys(executions)).toEqual([[key]]);
		expect(executions[0][0].json).toMatchObject({
			headers: {},
			body: { id: 'a' },
			idempotency: {
				namespace: flow.id,
				key,
				runAgain: true,
				event: { state: 'processing', attempt: 1, steps: [{ name: 'invoice' }, { name: 'email' }] },
			},
		});
		// Taken once: not by the next poll.
		expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);

		const run = await deliver(on, flow, executions[0] as never, {
			nodes,
			startNode: 'Ledger Trigger',
			mode: 'trigger',
		});
		expect(run.error).toBeUndefined();
		expect(outcomes(run)).toEqual([['recovered'], [], []]);
		expect(idempotency(run, 'Claim Event')[0]).not.toHaveProperty('runAgain');
		// Nobody knows whether the email was sent: a person decides, and the invoice is not made again.
		expect(invoice.seen).toHaveLength(1);
		expect(email.seen).toHaveLength(0);
		expect((await on.ledger.get([address]))[0]!.event).toMatchObject({ state: 'review' });
	});

	it('runs failed events again, each in an execution of its own, until they are done', async () => {
		const { flow, invoice, email, nodes } = orders();
		for (const id of ['a', 'b', 'c']) await failed(on, flow.id, `v1:field:${id}`, body(id));
		const executions = await pollOn(on, flow, { nodes: nodes.slice(1) });
		expect(keys(executions)).toEqual([['v1:field:a'], ['v1:field:b'], ['v1:field:c']]);
		for (const items of executions) {
			const run = await deliver(on, flow, items as never, {
				nodes,
				startNode: 'Ledger Trigger',
				mode: 'trigger',
			});
			expect(outcomes(run)).toEqual([['retry'], [], []]);
		}
		expect([invoice.seen.length, email.seen.length]).toEqual([3, 3]);
		const { events } = await on.ledger.list({ namespace: flow.id });
		expect(events.map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(
			Array(3).fill('done 2'),
		);
		expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);
	});

	it('claims the stored key in the stored namespace, also in another workflow that would make another key', async () => {
		const before = orders();
		await deliver(on, before.flow, [body('a')], {
			nodes: before.nodes,
		});
		await on.ledger.releaseEvents([
			{ namespace: before.flow.id, key: 'v1:field:a', by: 'olga', reason: 'Once more' },
		]);
		// The result is kept, the input is not: there is nothing to run.
		const other = orders({
			again: trigger({}, { eventsOf: 'namespace', namespace: before.flow.id }),
		});
		expect(await pollOn(on, other.flow, { nodes: other.nodes.slice(1) })).toEqual([]);
		const [details] = await on.ledger.get([{ namespace: before.flow.id, key: 'v1:field:a' }]);
		expect(details!.event).toMatchObject({
			state: 'review',
			reason: expect.stringContaining('its input is not stored'),
		});

		const kept = orders({ claimOptions: { keepInput: true } });
		await deliver(on, kept.flow, [body('a')], { nodes: kept.nodes });
		await on.ledger.releaseEvents([{ namespace: kept.flow.id, key: 'v1:field:a', by: 'olga' }]);
		const there = orders({
			again: trigger({}, { eventsOf: 'namespace', namespace: kept.flow.id }),
			claimOptions: { namespace: 'somewhere else' },
		});
		there.flow.nodes.find(({ name }) => name === 'Derive Key')!.parameters.value = 'other';
		const [items] = await pollOn(on, there.flow, { nodes: there.nodes.slice(1) });
		const run = await deliver(on, there.flow, items as never, {
			nodes: there.nodes,
			startNode: 'Ledger Trigger',
			mode: 'trigger',
		});
		expect(run.error).toBeUndefined();
		expect(idempotency(run, 'Claim Event')[0]).toMatchObject({
			namespace: kept.flow.id,
			key: 'v1:field:a',
			outcome: 'retry',
		});
		expect(
			(await on.ledger.get([{ namespace: kept.flow.id, key: 'v1:field:a' }]))[0],
		).toMatchObject({ event: { state: 'done', attempt: 2 } });
		expect(there.invoice.seen).toHaveLength(0);
	});

	it('does not believe items that only say that they come from the ledger', async () => {
		const { flow, nodes } = orders();
		const idempotencyOf = { namespace: 'somewhere', key: 'else', runAgain: true };
		const run = await deliver(on, flow, [{ ...body('a'), idempotency: idempotencyOf }], { nodes });
		expect(idempotency(run, 'Claim Event')[0]).toMatchObject({
			namespace: flow.id,
			key: 'v1:field:a',
			outcome: 'new',
		});
	});

	it('waits longer after each attempt, and gives up with a review when nobody claims what it hands out', async () => {
		const patient = orders({ again: trigger({ backoffMinutes: 1 }) });
		const { flow, nodes } = orders({ again: trigger({}, { visibilityMinutes: 0.01 }) });
		await failed(on, patient.flow.id, 'k', { id: 'k' });
		expect(await pollOn(on, patient.flow, { nodes: patient.nodes.slice(1) })).toEqual([]);

		await failed(on, flow.id, 'k', { id: 'k' });
		for (let round = 0; round < 2; round++) {
			let handedOut: INodeExecutionData[][] = [];
			while (handedOut.length === 0) {
				handedOut = await pollOn(on, flow, { nodes: nodes.slice(1) });
			}
			expect(keys(handedOut)).toEqual([['k']]);
		}
		let state = 'failed';
		while (state === 'failed') {
			expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);
			({ state } = (await on.ledger.get([{ namespace: flow.id, key: 'k' }]))[0]!.event);
		}
		expect(state).toBe('review');
		expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);
	});

	it('tells a person all about an event in review, and again only after the reminder', async () => {
		const again = trigger({}, { triggerOn: 'attention', eventsOf: 'workflow', kinds: ['review'] });
		const { flow, nodes } = orders({ again });
		const executionId = `${flow.id}-run`;
		await deliver(on, flow, [body('a')], {
			nodes: [
				LedgerTrigger,
				nodes[1],
				{ ...nodes[2], execute: () => Promise.reject(new Error('x')) },
			],
			executionId,
		} as RunOptions);
		const address = { namespace: flow.id, key: 'v1:field:a' };
		await on.ledger.failEvents([{ ...address, by: 'olga', as: 'review', reason: 'Look at it' }]);
		const [[{ json }]] = await pollOn(on, flow, { nodes: nodes.slice(1) });
		expect(json).toMatchObject({
			namespace: flow.id,
			key: 'v1:field:a',
			state: 'review',
			reason: 'Look at it',
			input: { body: { id: 'a' } },
			executionUrl: `http://localhost:5678/workflow/${flow.id}/executions/${executionId}`,
			steps: [
				{ name: 'invoice', state: 'done' },
				{ name: 'email', state: 'started' },
			],
		});
		expect((json.history as IDataObject[]).map(({ kind }) => kind)).toEqual(
			expect.arrayContaining(['new', 'step_started', 'step_done', 'review', 'taken']),
		);
		expect(JSON.stringify(json.input)).not.toContain('secret');
		expect(await pollOn(on, flow, { nodes: nodes.slice(1) })).toEqual([]);
	});

	it('by hand shows a sample and takes nothing; a summary says how it stands', async () => {
		const { flow, nodes } = orders();
		expect(await pollOn(on, flow, { nodes: nodes.slice(1), mode: 'manual' })).toEqual([]);
		await deliver(on, flow, [body('a')], {
			nodes: [
				LedgerTrigger,
				{ ...nodes[1], execute: () => Promise.reject(new Error('x')) },
				nodes[2],
			],
		} as RunOptions);
		const address = { namespace: flow.id, key: 'v1:field:a' };
		await on.ledger.failEvents([{ ...address, by: 'olga', reason: 'x' }]);
		const before = await on.ledger.history(address);
		const sampled = await pollOn(on, flow, { nodes: nodes.slice(1), mode: 'manual' });
		expect(keys(sampled)).toEqual([['v1:field:a']]);
		expect(await on.ledger.history(address)).toEqual(before);

		const summary = orders({ again: trigger({}, { triggerOn: 'summary', eventsOf: 'workflow' }) });
		summary.flow.id = flow.id;
		const [[{ json }]] = await pollOn(on, summary.flow, { nodes: summary.nodes.slice(1) });
		expect(json).toMatchObject({ now: { failed: 1, done: 0 }, events: 1, failed: 1 });
	});

	it('lets senders know that unfinished events are run again, if it takes all of them', async () => {
		const { flow, nodes } = orders();
		await pollOn(on, flow, { nodes: nodes.slice(1) });
		const others = [
			{ parameters: { kinds: ['failed'] } },
			{ parameters: { triggerOn: 'attention', kinds: ['stuck'] } },
			{ parameters: {}, mode: 'manual' as const },
		];
		const silent: string[] = [];
		for (const { parameters, mode } of others) {
			const other = orders({ again: trigger({}, { eventsOf: 'workflow', ...parameters }) });
			await pollOn(on, other.flow, { nodes: other.nodes.slice(1), mode });
			silent.push(other.flow.id);
		}
		const recoveries = await on.ledger.recoveries();
		const by = `workflow ${flow.id}, node Ledger Trigger`;
		expect(recoveries).toContainEqual({ by, namespace: flow.id });
		expect(recoveries.filter(({ namespace }) => silent.includes(namespace!))).toEqual([]);
	});

	it('says what is wrong with its settings', async () => {
		const nothing = orders({ again: trigger({}, { kinds: [] }) });
		await expect(pollOn(on, nothing.flow, { nodes: nothing.nodes.slice(1) })).rejects.toThrow(
			"'Kinds' is empty",
		);
		const nowhere = orders({ again: trigger({}, { eventsOf: 'namespace', namespace: ' ' }) });
		await expect(pollOn(on, nowhere.flow, { nodes: nowhere.nodes.slice(1) })).rejects.toThrow(
			"The 'Namespace' is empty",
		);
	});
});
