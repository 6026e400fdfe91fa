import { type IBinaryData, NodeOperationError } from 'n8n-workflow';

import type { BeginStepResult } from '../../ledger/Ledger';
import type { StepRecord } from '../../ledger/records';
import { iso } from '../shared/execution';
import type { Answer } from './answer';
import type { StepContext } from './StepContext';
import { kept, storedAnswer } from './storage';

/** How a step ended. `isHeld`: the claim is still this run's. */
export type Ending =
	| { kind: 'done'; replayed: boolean; answer: Answer; step: StepRecord; file?: IBinaryData }
	| { kind: 'review'; outcome: string; reason: string; isHeld: boolean; answer?: Answer }
	| { kind: 'error'; error: NodeOperationError; isHeld: boolean; answer?: Answer };

/** It happened. */
export async function finished({ node, plan, step, attempts, last }: StepContext): Promise<Ending> {
	const { answer, file } = last!;
	const given = kept(answer, plan.storage);
	try {
		const { step: record } = await step.finish(given, answer);
		const { bodyNotStored } = storedAnswer(record);
		const noted = bodyNotStored === undefined ? given : { ...given, bodyNotStored };
		return { kind: 'done', replayed: false, answer: noted, step: record, file };
	} catch (error) {
		throw new NodeOperationError(
			node.getNode(),
			`The request was answered, but the ledger did not record it: ${(error as Error).message}`,
			{
				itemIndex: plan.itemIndex,
				description: `The step is in doubt, and is repeated only where that is safe. ${attempts.describe()}`,
			},
		);
	}
}

/** A worker is not held up by a server that wants to be left alone for long. */
export async function parked(context: StepContext, waitMs: number): Promise<Ending> {
	const { attempts, step, last } = context;
	const reason = `${attempts.describe()}. To be tried again in ${Math.ceil(waitMs / 1000)} s`;
	if (!attempts.inDoubt) await step.finishAsFailed(reason);
	await step.fail({ as: 'failed', reason, retryAfterMs: waitMs });
	const error = problem(
		context,
		`The server asks to wait until ${iso(Date.now() + waitMs)}`,
		`The event was given back and is due then. ${reason}`,
	);
	return { kind: 'error', error, isHeld: false, answer: last?.answer };
}

/** It did not happen; or it may have, and may be asked for again. */
export async function failed(context: StepContext, isKnown: boolean): Promise<Ending> {
	const { attempts, step, last } = context;
	const reason = attempts.describe();
	if (isKnown) await step.finishAsFailed(reason);
	const verdict = isKnown
		? 'It did not happen'
		: 'It may have happened, and is safe to repeat: deliver the event again, or retry the execution';
	const error = problem(
		context,
		last ? `The destination answered ${last.answer.statusCode}` : 'The request got no answer',
		`${verdict}. ${reason}${excerpt(last?.answer)}`,
	);
	return { kind: 'error', error, isHeld: true, answer: last?.answer };
}

/** It may have happened, and asking for it again may make it happen twice. */
export async function inDoubt({ attempts, step, last }: StepContext): Promise<Ending> {
	const reason = `${attempts.describe()}. Nobody knows whether it happened: look for it at the destination`;
	await step.fail({ as: 'review', reason });
	return { kind: 'review', outcome: 'in_doubt', reason, isHeld: false, answer: last?.answer };
}

/** The ledger has something against it. */
export async function notBegun(context: StepContext, begun: BeginStepResult): Promise<Ending> {
	const { outcome, step: record, event } = begun;
	switch (outcome) {
		case 'done':
			return { kind: 'done', replayed: true, answer: storedAnswer(record), step: record };
		case 'conflict':
			return await conflict(context, begun);
		case 'in_doubt': {
			const reason = `${event.reason}. ${context.attempts.describe()}`;
			return { kind: 'review', outcome, reason, isHeld: false };
		}
		default:
			return {
				kind: 'error',
				error: problem(
					context,
					`The step '${record.name}' is being run by another item of this execution`,
					"Give each item a 'Step Name' of its own, such as 'line {{ $json.line }}'",
				),
				isHeld: true,
			};
	}
}

/** Another request under the same step: in this very run a mistake in the workflow, else something for a person. */
async function conflict(
	context: StepContext,
	{ step: record, event }: BeginStepResult,
): Promise<Ending> {
	const { plan, step, attempts } = context;
	if (record.attempt === event.attempt && record.executionId === plan.claimant.executionId) {
		const error = problem(
			context,
			`The step '${record.name}' has made another request in this execution`,
			"Nothing was sent. Give each request a 'Step Name' of its own, such as 'line {{ $json.line }}'",
		);
		return { kind: 'error', error, isHeld: true };
	}
	const reason = `Step '${record.name}' was begun by execution ${record.executionId} with another method, URL or body. Nothing was sent. ${attempts.describe()}`;
	await step.fail({ as: 'review', reason });
	return { kind: 'review', outcome: 'conflict', reason, isHeld: false };
}

/** Nobody waits any more. What is known is written down, and nothing else. */
export async function cancelled(context: StepContext): Promise<Ending> {
	const { attempts, step } = context;
	const reason = `${attempts.describe()}; the execution was cancelled`;
	if (attempts.count > 0 && !attempts.inDoubt) await step.finishAsFailed(reason);
	return {
		kind: 'error',
		error: problem(context, 'The execution was cancelled', reason),
		isHeld: true,
	};
}

function problem(
	{ node, plan }: StepContext,
	message: string,
	description: string,
): NodeOperationError {
	return new NodeOperationError(node.getNode(), message, {
		itemIndex: plan.itemIndex,
		description,
	});
}

function excerpt(answer: Answer | undefined): string {
	if (!answer || answer.body === null) return '';
	const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
	return `. Answer: ${text.length > 500 ? `${text.slice(0, 499)}…` : text}`;
}
