import type { IExecuteFunctions } from 'n8n-workflow';

import { backoff } from '../../http/backoff';
import { classifyAnswer, classifyError } from '../../http/classify';
import type { Move } from '../../http/nextMove';
import { retryAfter } from '../../http/retryAfter';
import type { Ledger } from '../../ledger/Ledger';
import { readAnswer } from './answer';
import { objection } from './approval';
import { Attempts } from './Attempts';
import { readProof } from './authentication';
import { cancelled, type Ending, failed, finished, inDoubt, notBegun, parked } from './endings';
import { askDestination, type Finding } from './lookUp';
import type { Pace } from './Pace';
import type { Plan } from './Plan';
import type { Run } from './Run';
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
	plan: Plan,
	pace: Pace,
): Promise<Ending> {
	const run: Run = {
		node,
		plan,
		step: new StepInLedger(ledger, plan),
		attempts: new Attempts(plan),
		proof: await readProof(node, plan.itemIndex, [plan.request.url, plan.lookUp?.url ?? []].flat()),
		signal: node.getExecutionCancelSignal(),
	};
	const refused = await lookBefore(run);
	if (refused) return refused;
	let move = firstMove(run);
	for (;;) {
		switch (move.do) {
			case 'send': {
				const isOn = (await sleep(move.waitMs, run.signal)) && (await pace.turn(run.signal));
				if (!isOn) return await cancelled(run);
				const begun = await run.step.begin(run.attempts.policy);
				if (begun.outcome !== 'run') return await notBegun(run, begun);
				move = await attempt(run);
				break;
			}
			case 'look_up': {
				const delayMs = Math.max(move.waitMs, plan.lookUp!.delayMs);
				if (!(await sleep(delayMs, run.signal))) return await cancelled(run);
				move = await lookUp(run);
				break;
			}
			case 'finish':
				return await finished(run);
			case 'fail':
				return await failed(run, move.known);
			default:
				// What a cancelled request left unknown the next run looks at.
				if (run.signal?.aborted) return await cancelled(run);
				return move.do === 'park' ? await parked(run, move.waitMs) : await inDoubt(run);
		}
	}
}

/** What the ledger knows already, where it makes a difference. */
async function lookBefore({ plan, step, attempts }: Run): Promise<Ending | undefined> {
	const mayRepeat = attempts.policy.whenInDoubt === 'repeat';
	if (!plan.approval && !plan.lookUp && !mayRepeat) return undefined;
	const details = await step.read();
	const earlier = details?.steps.find(({ name }) => name === plan.step);
	const objected = plan.approval && objection(plan.approval, details?.approvals ?? []);
	// What is done is done, and its answer is no secret to the same event.
	if (objected !== undefined && earlier?.state !== 'done') {
		const reason = `${objected}. Nothing was sent`;
		return { kind: 'review', outcome: 'not_approved', reason, isHeld: true };
	}
	if (earlier?.state === 'started') attempts.foundUnfinished(earlier.startedAt);
	return undefined;
}

function firstMove({ plan, attempts }: Run): Move {
	const mustAsk = attempts.inDoubt && !attempts.isRepeatable && plan.lookUp !== undefined;
	return { do: mustAsk ? 'look_up' : 'send', waitMs: 0 };
}

async function attempt(run: Run): Promise<Move> {
	const { node, plan, attempts, proof, signal } = run;
	attempts.begin();
	let reply: Reply;
	try {
		reply = await send(node, plan.request, proof, plan.delivery, signal);
	} catch (error) {
		const fault = classifyError(error, { followsRedirects: plan.delivery.maxRedirects > 0 });
		return attempts.next(fault, withoutSecrets(fault.message, proof.secrets));
	}
	const { answer, file } = await readAnswer(node, reply, plan.response.format);
	run.last = { answer: withoutSecrets(answer, proof.secrets), file };
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
async function lookUp(run: Run): Promise<Move> {
	const { node, plan, attempts, proof, signal } = run;
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
		run.last = { answer: withoutSecrets(finding.answer, proof.secrets) };
	}
	const what = finding.found === 'happened' ? 'the look-up found it' : finding.why;
	return attempts.next(
		{ kind: 'looked_up', found: finding.found },
		withoutSecrets(what, proof.secrets),
	);
}
