import { encodeCursor } from './cursor';
import { LedgerClosedError, LedgerError } from './errors';
import { Lane } from './Lane';
import type * as contract from './Ledger';
import type { Ledger, Settled } from './Ledger';
import {
	DEFAULTS,
	type EventAddress,
	type EventDetails,
	type EventSummary,
	type HistoryEntry,
	type JsonValue,
	NOTE_KINDS,
	type StepRecord,
	STOPPED_POLICIES,
} from './records';
import {
	address,
	authorised,
	claimantName,
	held,
	listQuery,
	optional,
	randomToken,
} from './requests';
import { approval, claimResult, details, settle, step, summary } from './results';
import {
	BATCH_LIMIT,
	type ClaimCommand,
	type FinishReply,
	type LedgerStore,
	type StoredStep,
	type WriteReply,
} from './Store';
import {
	checkDuration,
	checkFinite,
	checkInteger,
	checkName,
	checkNamespace,
	checkOneOf,
	checkTime,
	readable,
} from './validate';
import { decodeValue, encodeValue } from './values';

const WORK_KINDS = ['stuck', 'failed', 'review', 'expired_gate'] as const;

/**
 * The contract on top of any store: checks and completes requests, makes tokens, turns values into text and
 * back, splits large batches. What is atomic happens in the store.
 */
export class StoreLedger implements Ledger {
	private closed = false;
	private readonly lanes;

	constructor(
		private readonly store: LedgerStore,
		private readonly maxValueBytes: number = DEFAULTS.maxValueBytes,
	) {
		this.lanes = lanesOf(store);
	}

	async claimEvents(requests: contract.ClaimRequest[]): Promise<contract.ClaimResult[]> {
		const commands = this.prepare(requests, (request) => this.claimCommand(request, randomToken()));
		const replies = await this.lanes.claim.send(commands);
		return replies.map((reply, i) => claimResult(commands[i], reply));
	}

	async beginSteps(
		requests: contract.BeginStepRequest[],
	): Promise<Array<Settled<contract.BeginStepResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...held(request),
			step: checkName(request.step, 'step'),
			claimant: claimantName(request.claimant),
			executionId: request.claimant.executionId,
			whenInDoubt: checkOneOf(request.whenInDoubt ?? 'review', 'whenInDoubt', ['review', 'repeat']),
			repeatWithin: optional(request.repeatWithinMs, (ms) => checkDuration(ms, 'repeatWithinMs')),
			fingerprint: optional(request.fingerprint, (text) => checkName(text, 'fingerprint')),
		}));
		const replies = await this.lanes.begin.send(commands);
		return replies.map((reply, i) =>
			settle(reply, commands[i], (event) => ({
				outcome: reply.outcome!,
				step: step(reply.step!),
				event,
			})),
		);
	}

	async finishSteps(
		requests: contract.FinishStepRequest[],
	): Promise<Array<Settled<contract.FinishStepResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...held(request),
			step: checkName(request.step, 'step'),
			state: checkOneOf(request.state ?? 'done', 'state', ['done', 'failed']),
			output: this.encode(request.output, 'output'),
			externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
			undo: this.encode(request.undo, 'undo'),
			error: optional(request.error, readable),
		}));
		const replies = await this.lanes.finish.send(commands);
		return replies.map((reply, i) => finished(reply, commands[i]));
	}

	async takeUndos(
		requests: contract.TakeUndosRequest[],
	): Promise<Array<Settled<contract.TakeUndosResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...authorised(request),
			visibility: visibility(request),
			call: randomToken(),
		}));
		const replies = await this.lanes.takeUndos.send(commands);
		return replies.map((reply, i) =>
			settle(reply, commands[i], (event) => ({ steps: newestFirst(reply.undos!), event })),
		);
	}

	async markUndone(
		requests: contract.UndoneRequest[],
	): Promise<Array<Settled<contract.FinishStepResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...authorised(request),
			step: checkName(request.step, 'step'),
			reason: optional(request.reason, readable),
		}));
		const replies = await this.lanes.markUndone.send(commands);
		return replies.map((reply, i) => finished(reply, commands[i]));
	}

	async completeEvents(
		requests: contract.CompleteRequest[],
	): Promise<Array<Settled<contract.WriteResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...authorised(request),
			result: this.encode(request.result, 'result'),
			externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
			reason: optional(request.reason, readable),
		}));
		return this.write(this.lanes.complete, commands);
	}

	async failEvents(
		requests: contract.FailRequest[],
	): Promise<Array<Settled<contract.WriteResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...authorised(request),
			as: checkOneOf(request.as ?? 'failed', 'state', ['failed', 'review']),
			reason: readable(request.reason),
			retryAfter: checkDuration(request.retryAfterMs ?? 0, 'retryAfterMs', 0),
		}));
		return this.write(this.lanes.fail, commands);
	}

	async renewLeases(
		requests: contract.RenewRequest[],
	): Promise<Array<Settled<contract.WriteResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...held(request),
			lease: optional(request.leaseMs, (ms) => checkDuration(ms, 'lease')),
		}));
		return this.write(this.lanes.renew, commands);
	}

	async releaseEvents(
		requests: contract.ReleaseRequest[],
	): Promise<Array<Settled<contract.WriteResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...authorised(request),
			reason: optional(request.reason, readable),
		}));
		return this.write(this.lanes.release, commands);
	}

	async failByExecution(request: contract.FailByExecutionRequest): Promise<EventSummary[]> {
		this.assertOpen();
		const events = await this.store.failByExecution({
			executionId: checkName(request.executionId, 'execution ID'),
			as: checkOneOf(request.as ?? 'failed', 'state', ['failed', 'review']),
			reason: readable(request.reason),
		});
		return events.map(summary);
	}

	async requestApprovals(
		requests: contract.ApprovalRequest[],
	): Promise<Array<Settled<contract.ApprovalResult>>> {
		const commands = this.prepare(requests, (request) => ({
			...address(request),
			id: randomToken(),
			gate: checkName(request.gate, 'gate'),
			token: optional(request.token, (token) => checkName(token, 'token')),
			fingerprint: checkName(request.fingerprint, 'fingerprint'),
			content: this.encode(request.content, 'content'),
			required: checkInteger(request.required ?? 1, 'number of approvers', 1, 100),
			expiresIn: optional(request.expiresInMs, (ms) => checkDuration(ms, 'expiry')),
		}));
		const replies = await this.lanes.requestApprovals.send(commands);
		return replies.map((reply, i) =>
			settle(reply, commands[i], () => ({
				isNew: reply.isNew!,
				approval: approval(reply.approval!),
			})),
		);
	}

	async decideApproval(request: contract.DecisionRequest): Promise<contract.DecisionResult> {
		this.assertOpen();
		const reply = await this.store.decideApproval({
			...address(request),
			gate: checkName(request.gate, 'gate'),
			approvalId: checkName(request.approvalId, 'approval ID'),
			voteId: randomToken(),
			decision: checkOneOf(request.decision, 'decision', ['approved', 'rejected']),
			by: checkName(request.by, 'name of the approver'),
			comment: optional(request.comment, readable),
		});
		return { outcome: reply.outcome, approval: optional(reply.approval, approval) };
	}

	async noteApproval(request: contract.NoteRequest): Promise<contract.NoteResult> {
		this.assertOpen();
		return await this.store.noteApproval({
			...address(request),
			gate: checkName(request.gate, 'gate'),
			approvalId: checkName(request.approvalId, 'approval ID'),
			kind: checkOneOf(request.kind, 'kind of note', NOTE_KINDS),
			by: checkName(request.by, 'name of the approver'),
			reason: optional(request.reason, readable),
			limit: checkInteger(request.limit, 'limit', 1, 20),
		});
	}

	async get(addresses: EventAddress[]): Promise<Array<EventDetails | undefined>> {
		const commands = this.prepare(addresses, address);
		const found = await this.lanes.get.send(commands);
		return found.map((entry) => (entry ? details(entry) : undefined));
	}

	async list(request: contract.ListRequest): Promise<contract.ListResult> {
		this.assertOpen();
		const query = listQuery(request);
		// One more than asked for tells whether there is another page.
		const events = await this.store.list({ ...query, limit: query.limit + 1 });
		const page = events.slice(0, query.limit);
		return {
			events: page.map(summary),
			cursor: events.length > page.length ? encodeCursor(query, page[page.length - 1]) : undefined,
		};
	}

	async history(eventAddress: EventAddress): Promise<HistoryEntry[]> {
		const [entries] = await this.histories([eventAddress]);
		return entries;
	}

	async histories(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		return await this.lanes.history.send(this.prepare(addresses, address));
	}

	async stats(request: contract.StatsRequest = {}): Promise<contract.Stats> {
		this.assertOpen();
		return await this.store.stats({
			namespace: optional(request.namespace, checkNamespace),
			days: checkInteger(request.days ?? 30, 'number of days', 1, 3660),
		});
	}

	async take(request: contract.TakeRequest): Promise<EventDetails[]> {
		this.assertOpen();
		const taken = await this.store.take({
			kinds: [...new Set(request.kinds)].map((kind) =>
				checkOneOf(kind, 'kind of work', WORK_KINDS),
			),
			namespace: optional(request.namespace, checkNamespace),
			limit: checkInteger(request.limit ?? 50, 'limit', 1, BATCH_LIMIT),
			visibility: visibility(request),
			minAge: checkDuration(request.minAgeMs ?? 0, 'minAgeMs', 0),
			minAttempts: checkInteger(request.minAttempts ?? 0, 'minimum number of attempts', 0, 1e6),
			backoff: checkDuration(request.backoffMs ?? 0, 'backoffMs', 0),
			maxBackoff: checkDuration(request.maxBackoffMs ?? DEFAULTS.maxBackoffMs, 'maxBackoffMs', 0),
			by: checkName(request.by, 'taker'),
		});
		return taken.map(details);
	}

	async importRecords(requests: contract.ImportRequest[]): Promise<Array<'imported' | 'exists'>> {
		const commands = this.prepare(requests, (request) => ({
			...address(request),
			fingerprint: optional(request.fingerprint, (text) => checkName(text, 'fingerprint')),
			result: this.encode(request.result, 'result'),
			externalId: optional(request.externalId, (id) => checkName(id, 'external ID')),
			doneAt: optional(request.doneAt, (time) => checkTime(time, 'doneAt')),
			retention: checkDuration(request.retentionMs ?? DEFAULTS.retentionMs, 'retention'),
		}));
		const replies = await this.lanes.import.send(commands);
		return replies.map((reply) => reply.status);
	}

	async deleteEvents(addresses: EventAddress[]): Promise<Array<'deleted' | 'missing'>> {
		const deleted = await this.lanes.delete.send(this.prepare(addresses, address));
		return deleted.map((was) => (was ? 'deleted' : 'missing'));
	}

	async purge(request: contract.PurgeRequest = {}): Promise<contract.PurgeResult> {
		this.assertOpen();
		const limit = checkInteger(request.limit ?? 1000, 'limit', 1, 10_000);
		const purged = await this.store.purge(limit);
		return { purged, more: purged >= limit };
	}

	async check(): Promise<contract.CheckReport> {
		this.assertOpen();
		return await this.store.check();
	}

	async close(): Promise<void> {
		if (this.closed) return;
		this.closed = true;
		await this.store.close();
	}

	/** Makes nothing but the command: memory that a batch of a thousand takes on the way is time. */
	private claimCommand(request: contract.ClaimRequest, token: string): ClaimCommand {
		const { claimant, workflowId, fingerprint, ordering, input } = request;
		return {
			namespace: checkNamespace(request.namespace),
			key: checkName(request.key, 'key'),
			token,
			claimant: claimantName(claimant),
			held: request.token === undefined ? undefined : checkName(request.token, 'token'),
			executionId: claimant.executionId,
			workflowId: workflowId === undefined ? undefined : checkName(workflowId, 'workflow ID'),
			fingerprint: fingerprint === undefined ? undefined : checkName(fingerprint, 'fingerprint'),
			lease: checkDuration(request.leaseMs ?? DEFAULTS.leaseMs, 'lease'),
			retention: checkDuration(request.retentionMs ?? DEFAULTS.retentionMs, 'retention'),
			maxAttempts: checkInteger(
				request.maxAttempts ?? DEFAULTS.maxAttempts,
				'maximum number of attempts',
				1,
				1000,
			),
			onStopped: checkOneOf(request.onStopped ?? DEFAULTS.onStopped, 'policy', STOPPED_POLICIES),
			input: input === undefined ? undefined : encodeValue(input, 'input', this.maxValueBytes),
			keepInput: request.keepInput || undefined,
			object: ordering && checkName(ordering.object, 'object'),
			version: ordering && checkFinite(ordering.version, 'version'),
			findSameContent: (request.findSameContent && fingerprint !== undefined) || undefined,
		};
	}

	private encode(value: JsonValue | undefined, what: string): string | undefined {
		return optional(value, (present) => encodeValue(present, what, this.maxValueBytes));
	}

	private async write<C extends EventAddress>(
		lane: Lane<C, WriteReply>,
		commands: C[],
	): Promise<Array<Settled<contract.WriteResult>>> {
		const replies = await lane.send(commands);
		return replies.map((reply, i) =>
			settle(reply, commands[i], (event) => ({
				repeated: reply.status === 'repeated',
				event,
				...(reply.result !== undefined && { result: decodeValue(reply.result) }),
			})),
		);
	}

	/** Checks the whole batch before any of it is sent, and says which item is wrong. */
	private prepare<R, C>(requests: R[], command: (request: R) => C): C[] {
		this.assertOpen();
		return requests.map((request, index) => {
			try {
				return command(request);
			} catch (error) {
				if (error instanceof LedgerError) error.index = index;
				throw error;
			}
		});
	}

	private assertOpen(): void {
		if (this.closed) throw new LedgerClosedError();
	}
}

function visibility({ visibilityMs = DEFAULTS.visibilityMs }: { visibilityMs?: number }): number {
	return checkDuration(visibilityMs, 'visibility time-out');
}

/** What is undone is undone in the reverse order. */
function newestFirst(steps: StoredStep[]): StepRecord[] {
	return steps
		.map(step)
		.reverse()
		.sort((a, b) => b.finishedAt! - a.finishedAt!);
}

function finished(reply: FinishReply, command: EventAddress): Settled<contract.FinishStepResult> {
	return settle(reply, command, (event) => ({
		repeated: reply.status === 'repeated',
		step: step(reply.step!),
		event,
	}));
}

/** A lane for each operation that takes batches. */
function lanesOf(store: LedgerStore) {
	const lane = <C extends object, R>(call: (commands: C[]) => Promise<R[]>) =>
		new Lane(call.bind(store), store.callsAtOnce);
	return {
		claim: lane(store.claim),
		begin: lane(store.begin),
		finish: lane(store.finish),
		complete: lane(store.complete),
		fail: lane(store.fail),
		renew: lane(store.renew),
		release: lane(store.release),
		requestApprovals: lane(store.requestApprovals),
		takeUndos: lane(store.takeUndos),
		markUndone: lane(store.markUndone),
		get: lane(store.get),
		history: lane(store.history),
		delete: lane(store.delete),
		import: lane(store.import),
	};
}
