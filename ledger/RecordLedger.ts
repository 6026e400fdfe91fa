import { CallBatcher } from './engine/CallBatcher';
import { Claims } from './engine/Claims';
import { eventOf } from './engine/codec';
import * as commands from './engine/commands';
import { Entries } from './engine/Entries';
import { Imports } from './engine/Imports';
import { Reads } from './engine/Reads';
import { RecordCache } from './engine/RecordCache';
import { Removals } from './engine/Removals';
import { address, claimCommand, optional } from './engine/requests';
import { StoreClock } from './engine/StoreClock';
import { Writes } from './engine/Writes';
import { AmbiguousExecutionError, LedgerClosedError, LedgerError } from './errors';
import type * as contract from './Ledger';
import type { ItemResult, Ledger } from './Ledger';
import {
	DEFAULTS,
	type EventAddress,
	type EventDetails,
	type EventSummary,
	type HistoryEntry,
	type Recovery,
} from './records';
import type { ClaimCommand } from './rules/commands';
import { type RuleBook, RULES } from './rules/RuleBook';
import { BATCH_LIMIT, type RecordStore } from './stores/RecordStore';
import {
	checkDuration,
	checkInteger,
	checkName,
	checkNamespace,
	checkOneOf,
	readable,
} from './validate';

/**
 * The contract on top of any store: checks and completes requests, and leaves the rest to the engine, which decides by the rules and
 * writes records. What is atomic happens in the store.
 */
export class RecordLedger implements Ledger {
	private closed = false;
	private readonly encode: commands.Encode;
	private readonly claims: CallBatcher<ClaimCommand, contract.ClaimResult>;
	private readonly writes: Writes;
	private readonly reads: Reads;
	private readonly imports: Imports;
	private readonly entries: Entries;
	private readonly removals: Removals;

	constructor(
		private readonly store: RecordStore,
		maxValueBytes: number = DEFAULTS.maxValueBytes,
		rules: RuleBook = RULES,
	) {
		const clock = new StoreClock(() => store.now());
		const cache = new RecordCache();
		const claims = new Claims(store, clock, cache, rules);
		this.encode = commands.encoder(maxValueBytes);
		this.claims = new CallBatcher((commands) => claims.claim(commands), store.callsAtOnce);
		this.writes = new Writes(store, clock, cache, rules);
		this.reads = new Reads(store, clock);
		this.imports = new Imports(store);
		this.entries = new Entries(store);
		this.removals = new Removals(store, cache, this.entries);
	}

	async claimEvents(requests: contract.ClaimRequest[]): Promise<contract.ClaimResult[]> {
		return await this.claims.send(
			this.prepare(requests, (request) => claimCommand(request, this.encode)),
		);
	}

	async beginSteps(
		requests: contract.BeginStepRequest[],
	): Promise<Array<ItemResult<contract.BeginStepResult>>> {
		return await this.writes.send<'begin'>(this.prepare(requests, commands.beginCommand));
	}

	async finishSteps(
		requests: contract.FinishStepRequest[],
	): Promise<Array<ItemResult<contract.FinishStepResult>>> {
		return await this.writes.send<'finish'>(
			this.prepare(requests, (request) => commands.finishCommand(request, this.encode)),
		);
	}

	async resolveSteps(
		requests: contract.ResolveStepRequest[],
	): Promise<Array<ItemResult<contract.FinishStepResult>>> {
		return await this.writes.send<'resolve'>(
			this.prepare(requests, (request) => commands.resolveCommand(request, this.encode)),
		);
	}

	async takeUndos(
		requests: contract.TakeUndosRequest[],
	): Promise<Array<ItemResult<contract.TakeUndosResult>>> {
		return await this.writes.send<'takeUndos'>(this.prepare(requests, commands.takeUndosCommand));
	}

	async markUndone(
		requests: contract.UndoneRequest[],
	): Promise<Array<ItemResult<contract.FinishStepResult>>> {
		return await this.writes.send<'markUndone'>(this.prepare(requests, commands.undoneCommand));
	}

	async completeEvents(
		requests: contract.CompleteRequest[],
	): Promise<Array<ItemResult<contract.WriteResult>>> {
		return await this.writes.send<'complete'>(
			this.prepare(requests, (request) => commands.completeCommand(request, this.encode)),
		);
	}

	async failEvents(
		requests: contract.FailRequest[],
	): Promise<Array<ItemResult<contract.WriteResult>>> {
		return await this.writes.send<'fail'>(this.prepare(requests, commands.failCommand));
	}

	async renewLeases(
		requests: contract.RenewRequest[],
	): Promise<Array<ItemResult<contract.WriteResult>>> {
		return await this.writes.send<'renew'>(this.prepare(requests, commands.renewCommand));
	}

	async pauseEvents(
		requests: contract.PauseRequest[],
	): Promise<Array<ItemResult<contract.WriteResult>>> {
		return await this.writes.send<'pause'>(this.prepare(requests, commands.pauseCommand));
	}

	async releaseEvents(
		requests: contract.ReleaseRequest[],
	): Promise<Array<ItemResult<contract.WriteResult>>> {
		return await this.writes.send<'release'>(this.prepare(requests, commands.releaseCommand));
	}

	async failByExecution(request: contract.FailByExecutionRequest): Promise<EventSummary[]> {
		this.assertOpen();
		const instance = checkName(request.instance, 'instance');
		const executionId = checkName(request.executionId, 'execution ID');
		const as = checkOneOf(request.as ?? 'failed', 'state', ['failed', 'review']);
		const reason = readable(request.reason);
		const records = await this.reads.listAll({ executionId });
		const open = records
			.map(eventOf)
			.filter(({ state }) => state === 'processing' || state === 'waiting')
			.filter((event) => event.instance === instance);
		const nonces = new Set(open.map(({ nonce }) => nonce));
		if (nonces.size > 1) throw new AmbiguousExecutionError(executionId);
		const results = await this.writes.send<'fail'>(
			open.map(({ namespace, key, nonce, attempt }) => ({
				kind: 'fail',
				namespace,
				key,
				holder: { instance, executionId, nonce: nonce! },
				attempt,
				as,
				reason,
				retryAfterMs: 0,
			})),
		);
		// Those that ended in the meantime are left as they are.
		return results.flatMap((result) =>
			result.ok && !result.value.repeated ? [result.value.event] : [],
		);
	}

	async requestApprovals(
		requests: contract.ApprovalRequest[],
	): Promise<Array<ItemResult<contract.ApprovalResult>>> {
		return await this.writes.send<'requestApproval'>(
			this.prepare(requests, (request) => commands.approvalCommand(request, this.encode)),
		);
	}

	async decideApproval(request: contract.DecisionRequest): Promise<contract.DecisionResult> {
		const [result] = await this.writes.send<'decideApproval'>(
			this.prepare([request], commands.decisionCommand),
		);
		return result;
	}

	async noteApproval(request: contract.NoteRequest): Promise<contract.NoteResult> {
		const [result] = await this.writes.send<'noteApproval'>(
			this.prepare([request], commands.noteCommand),
		);
		return result;
	}

	async get(addresses: EventAddress[]): Promise<Array<EventDetails | undefined>> {
		return await this.reads.get(this.prepare(addresses, address));
	}

	async list(request: contract.ListRequest): Promise<contract.ListResult> {
		this.assertOpen();
		return await this.reads.list(request);
	}

	async history(eventAddress: EventAddress): Promise<HistoryEntry[]> {
		const [entries] = await this.histories([eventAddress]);
		return entries;
	}

	async histories(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		return await this.reads.histories(this.prepare(addresses, address));
	}

	async stats(request: contract.StatsRequest = {}): Promise<contract.Stats> {
		this.assertOpen();
		return await this.reads.stats({
			namespace: optional(request.namespace, checkNamespace),
			days: checkInteger(request.days ?? 30, 'number of days', 1, 3660),
		});
	}

	async take(request: contract.TakeRequest): Promise<EventDetails[]> {
		this.assertOpen();
		return await this.reads.take(
			commands.takeCommand(request),
			checkInteger(request.limit ?? 50, 'limit', 1, BATCH_LIMIT),
			this.writes,
		);
	}

	async registerRecovery(request: contract.RecoveryRequest): Promise<void> {
		this.assertOpen();
		await this.entries.registerRecovery(
			{
				by: checkName(request.by, 'taker'),
				namespace: optional(request.namespace, checkNamespace),
			},
			checkDuration(request.forMs, 'forMs'),
		);
	}

	async recoveries(): Promise<Recovery[]> {
		this.assertOpen();
		return await this.entries.recoveries();
	}

	async secret(name: string): Promise<string> {
		this.assertOpen();
		return await this.entries.secret(checkName(name, 'name of the secret'));
	}

	async importRecords(requests: contract.ImportRequest[]): Promise<Array<'imported' | 'exists'>> {
		return await this.imports.send(
			this.prepare(requests, (request) => commands.importCommand(request, this.encode)),
		);
	}

	async deleteEvents(requests: contract.DeleteRequest[]): Promise<Array<'deleted' | 'missing'>> {
		const removed = await this.removals.send(this.prepare(requests, commands.removalCommand));
		return removed.map((was) => (was ? 'deleted' : 'missing'));
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
