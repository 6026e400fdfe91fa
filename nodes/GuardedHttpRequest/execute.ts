import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';
import { checkFinite, checkInteger } from '../../ledger/validate';
import { claimantOf, isTool } from '../shared/execution';
import { stepClaimant } from '../shared/ledger/beginSteps';
import { findClaim } from '../shared/ledger/findClaim';
import { withLedger } from '../shared/ledger/withLedger';
import { failClosed } from '../shared/n8n/failClosed';
import { nodeError } from '../shared/nodeErrors';
import { text } from '../shared/text';
import { hints } from './hints';
import type { Options } from './options';
import { Pace } from './Pace';
import { performStep } from './performStep';
import { planRequest, type StepTarget } from './RequestPlan';
import { forTool, notDone, route, type Routed } from './routing';

/**
 * Makes the request of every item once. Whatever goes wrong, an item whose request was not made, or may not have been, never leaves
 * through Done.
 */
export async function execute(node: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = node.getInputData();
	if (isTool(node)) return [(await perform(node, items)).map(forTool), []];

	return await failClosed(node, async () => {
		const routed = await perform(node, items);
		// Older versions of n8n do not have it.
		node.addExecutionHints?.(...hints(routed));
		const outputs: INodeExecutionData[][] = [[], []];
		for (const { output, item } of routed) outputs[output].push(item);
		return outputs;
	});
}

async function perform(node: IExecuteFunctions, items: INodeExecutionData[]): Promise<Routed[]> {
	if (items.length === 0) return [];
	try {
		return await withLedger(node, (ledger) => performAll(node, ledger, items));
	} catch (error) {
		if (!node.continueOnFail()) throw nodeError(node, error);
		return items.map((item, i) => notDone(node, item, i, error));
	}
}

/**
 * A few at a time, in order. If n8n is not set to continue, the first error lets no further request begin; those under way are
 * finished and recorded.
 */
async function performAll(
	node: IExecuteFunctions,
	ledger: Ledger,
	items: INodeExecutionData[],
): Promise<Routed[]> {
	const options = node.getNodeParameter('options', 0, {}) as Options;
	const concurrency = checkInteger(options.concurrency ?? 5, "'Concurrency'", 1, 100);
	const pace = new Pace(checkFinite(options.requestsPerSecond ?? 0, "'Requests per Second'"));
	const performer = new Performer(node, ledger, pace);
	const routed: Routed[] = [];
	const open = items.entries();
	let failure: { error: unknown } | undefined;
	const work = async () => {
		for (const [i, item] of open) {
			if (failure) return;
			try {
				routed[i] = await performer.perform(item, i);
			} catch (error) {
				failure ??= { error };
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
	if (failure) throw failure.error;
	return routed;
}

/** Items of one step follow each other: the second gets the answer of the first. */
class Performer {
	private readonly claimant;
	/** By event and step: what is asked for there, when it has ended. */
	private readonly earlier = new Map<string, Promise<string | undefined>>();

	constructor(
		private readonly node: IExecuteFunctions,
		private readonly ledger: Ledger,
		private readonly pace: Pace,
	) {
		this.claimant = claimantOf(node);
	}

	async perform(item: INodeExecutionData, itemIndex: number): Promise<Routed> {
		try {
			const options = this.node.getNodeParameter('options', itemIndex, {}) as Options;
			const target = this.readTarget(item, itemIndex, options);
			const { namespace, key } = target.claim;
			const address = JSON.stringify([namespace, key, target.step]);
			const before = this.earlier.get(address);
			let fingerprint: string | undefined;
			let ended: (fingerprint: string | undefined) => void;
			this.earlier.set(address, new Promise((resolve) => (ended = resolve)));
			try {
				const asked = await before;
				const plan = await planRequest(this.node, target, options);
				fingerprint = plan.fingerprint;
				if (asked !== undefined && asked !== fingerprint) throw this.sameStep(target);
				return route(this.node, plan, await performStep(this.node, this.ledger, plan, this.pace));
			} finally {
				ended!(fingerprint);
			}
		} catch (error) {
			return notDone(this.node, item, itemIndex, error);
		}
	}

	private readTarget(item: INodeExecutionData, itemIndex: number, options: Options): StepTarget {
		const claim = findClaim(this.node, item, itemIndex, options);
		return {
			item,
			itemIndex,
			claim,
			claimant: stepClaimant(claim, this.claimant(itemIndex)),
			step: text(this.node.getNodeParameter('step', itemIndex)) ?? this.node.getNode().name,
		};
	}

	private sameStep({ itemIndex, step, claim }: StepTarget): NodeOperationError {
		return new NodeOperationError(
			this.node.getNode(),
			`Two items of the event '${claim.key}' make different requests in the step '${step}'`,
			{
				itemIndex,
				description:
					"Nothing was sent for this one. Add to the 'Step Name' what tells them apart, such as 'line {{ $json.line }}'",
			},
		);
	}
}
