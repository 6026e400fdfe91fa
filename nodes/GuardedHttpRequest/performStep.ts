import type { IExecuteFunctions } from 'n8n-workflow';

import { backoff } from '../../http/backoff';
import { classifyAnswer, classifyError } from '../../http/classify';
import type { Move } from '../../http/nextMove';
import { retryAfter } from '../../http/retryAfter';
import type { Ledger } from '../../ledger/Ledger';
import { readAnswer } from './answer';
import { reasonNotApproved } from './approval';
import { Attempts } from './Attempts';
import { readProof } from './authentication';
import { cancelled, type Ending, failed, finished, inDoubt, notBegun, parked } from './endings';
import { askDestination, type Finding } from './lookUp';
import type { Pace } from './Pace';
import type { RequestPlan } from './RequestPlan';
import type { StepContext } from './StepContext';
import { sleep } from './sleep';
import { StepInLedger } from './StepInLedger';
import { withoutSecrets } from './storage';
import { type Reply, send } from './transport';

/**
 * Does one step once: begins it in the ledger, sends the request, and again only where that is safe, and records how it ended. What
 * is not known to have happened or not is never reported as either.
 */
export async function performStep(
	node: IExecuteFunctions,
	ledger: Ledger,
	plan: RequestPlan,
	pace: Pace,
): Promise<Ending> {
	const context: StepContext = {
		node,
		plan,
		step: new StepInLedger(node, ledger, plan),
		attempts: new Attempts(plan),
		proof: await readProof(node, plan.itemIndex, [plan.request.url, plan.lookUp?.url ?? []].flat()),
		signal: node.getExecutionCancelSignal(),
	};
	const refused = await lookBefore(context);
	if (refused) return refused;
	let move = firstMove(context);
	for (;;) {
		switch (move.do) {
			case 'send': {
				const isOn =
					(await sleep(move.waitMs, context.signal)) && (await pace.turn(context.signal));
				if (!isOn) return await cancelled(context);
				const begun = await context.step.begin(context.attempts.policy);
				if (begun.outcome !== 'run') return await notBegun(context, begun);
				move = await attempt(context);
				break;
			}
			case 'look_up': {
				const delayMs = Math.max(move.waitMs, plan.lookUp!.delayMs);
				if (!(await sleep(delayMs, context.signal))) return await cancelled(context);
				move = await lookUp(context);
				break;
			}
			case 'finish':
				return await finished(context);
			case 'fail':
				return await failed(context, move.known);
			default:
				// What a cancelled request left unknown the next run looks at.
				if (context.signal?.aborted) return await cancelled(context);
				return move.do === 'park' ? await parked(context, move.waitMs) : await inDoubt(context);
		}
	}
}

/** What the ledger knows already, where it makes a difference. */
async function lookBefore({ plan, step, attempts }: StepContext): Promise<Ending | undefined> {
	const mayRepeat = attempts.policy.whenInDoubt === 'repeat';
	if (!plan.approval && !plan.lookUp && !mayRepeat) return undefined;
	const details = await step.read();
	const earlier = details?.steps.find(({ name }) => name === plan.step);
	const objected = plan.approval && reasonNotApproved(plan.approval, details?.approvals ?? []);
	// A finished step may be replayed even if the approval is missing.
	if (objected !== undefined && earlier?.state !== 'done') {
		const reason = `${objected}. Nothing was sent`;
		return { kind: 'review', outcome: 'not_approved', reason, isHeld: true };
	}
	if (earlier?.state === 'started') attempts.foundUnfinished(earlier.startedAt);
	return undefined;
}

function firstMove({ plan, attempts }: StepContext): Move {
	const mustAsk = attempts.inDoubt && !attempts.isRepeatable && plan.lookUp !== undefined;
	return { do: mustAsk ? 'look_up' : 'send', waitMs: 0 };
}

async function attempt(context: StepContext): Promise<Move> {
	const { node, plan, attempts, proof, signal } = context;
	attempts.begin();
	let reply: Reply;
	try {
		reply = await send(node, plan.request, proof, plan.transport, signal);
	} catch (error) {
		const fault = classifyError(error, { followsRedirects: plan.transport.maxRedirects > 0 });
		return attempts.next(fault, withoutSecrets(fault.message, proof.secrets));
	}
	const { answer, file } = await readAnswer(node, reply, plan.response.format);
	context.last = { answer: withoutSecrets(answer, proof.secrets), file };
	return attempts.next(
		{
			kind: 'answered',
			class: classifyAnswer(reply, plan.request.method, plan.outgoing?.provider),
			status: reply.status,
			retryAfterMs: retryAfter(reply.headers),
		},
		`answered ${reply.status}`,
	);
}

/** Asking has no effect: it may be repeated until it is clear, within limits. */
async function lookUp(context: StepContext): Promise<Move> {
	const { node, plan, attempts, proof, signal } = context;
	let finding: Finding;
	let asked = 0;
	do {
		if (asked > 0) await sleep(backoff(asked, plan.retry), signal);
		finding = await askDestination(node, plan, proof, signal);
		asked++;
	} while (
		finding.found === 'unclear' &&
		finding.mayClear &&
		asked < plan.retry.maxAttempts &&
		!signal?.aborted
	);
	if (finding.found === 'happened') {
		context.last = { answer: withoutSecrets(finding.answer, proof.secrets) };
	}
	const what = finding.found === 'happened' ? 'the look-up found it' : finding.why;
	return attempts.next(
		{ kind: 'looked_up', found: finding.found },
		withoutSecrets(what, proof.secrets),
	);
}
