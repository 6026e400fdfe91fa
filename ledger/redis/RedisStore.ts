import { randomUUID } from 'node:crypto';

import { LedgerMisconfiguredError, SchemaTooNewError } from '../errors';
import type { CheckReport, Stats, WorkKind } from '../Ledger';
import { purgeInParts } from '../purgeInParts';
import type { EventAddress, EventState, EventSummary, HistoryEntry } from '../records';
import type { RedisSettings } from '../settings';
import {
	BATCH_LIMIT,
	type ApprovalCommand,
	type ApprovalReply,
	type BeginCommand,
	type BeginReply,
	type ClaimCommand,
	type ClaimReply,
	type CompleteCommand,
	type DecisionCommand,
	type DecisionReply,
	type FailByExecutionCommand,
	type FailCommand,
	type FinishCommand,
	type FinishReply,
	type ImportCommand,
	type ImportReply,
	type LedgerStore,
	type ListQuery,
	type NoteCommand,
	type NoteReply,
	type ReleaseCommand,
	type RenewCommand,
	type StoredDetails,
	type StoredStep,
	type TakeCommand,
	type TakeUndosCommand,
	type TakeUndosReply,
	type UndoneCommand,
	type WriteReply,
	type WriteStatus,
} from '../Store';
import { inspect } from './check';
import { claimEvents } from './claims';
import { RedisConnection } from './connection';
import { findSameContent } from './contents';
import { idOf, Keys, SCHEMA_VERSION, shardCountFor } from './keys';
import { listDue, listEvents } from './lists';
import { Reply, type Value } from './replies';
import type { Argument } from './scripts';
import { Settler } from './Settler';
import { Shards } from './Shards';
import { readStats } from './stats';

const NONE: ReadonlySet<ClaimCommand> = new Set();

const STATE_OF_WORK: Record<WorkKind, EventState> = {
	stuck: 'processing',
	failed: 'failed',
	review: 'review',
	expired_gate: 'waiting',
};

export async function openRedisStore(settings: RedisSettings): Promise<LedgerStore> {
	const prefix = settings.prefix ?? 'idempotency';
	if (/[{}]/.test(prefix)) {
		throw new LedgerMisconfiguredError(
			`The prefix '${prefix}' contains a brace`,
			'Use another prefix: braces decide where a Redis Cluster puts keys',
		);
	}
	const connection = await RedisConnection.open(settings);
	try {
		const shardCount = await openSchema(connection, `${prefix}:schema`, shardCountFor(settings));
		return new RedisStore(connection, new Keys(prefix, shardCount));
	} catch (error) {
		await connection.close();
		throw error;
	}
}

/** Checks the version of what is there, or starts anew. Returns the number of shards. */
async function openSchema(
	connection: RedisConnection,
	key: string,
	shardCount: number,
): Promise<number> {
	const wanted = JSON.stringify({ version: SCHEMA_VERSION, shards: shardCount });
	await connection.ask((client) => client.setnx(key, wanted));
	const text = await connection.ask((client) => client.get(key));
	const found = JSON.parse(text ?? wanted) as { version: number; shards: number };
	if (found.version > SCHEMA_VERSION) throw new SchemaTooNewError(found.version, SCHEMA_VERSION);
	return found.shards;
}

class RedisStore implements LedgerStore {
	readonly kind = 'redis';
	readonly callsAtOnce = 2;
	private readonly shards: Shards;
	private readonly settler: Settler;

	constructor(
		private readonly connection: RedisConnection,
		keys: Keys,
	) {
		this.shards = new Shards(connection, keys);
		this.settler = new Settler(this.shards);
	}

	async claim(commands: ClaimCommand[]): Promise<ClaimReply[]> {
		const ordered = commands.filter(({ object }) => object !== undefined);
		const asking = commands.filter(({ findSameContent }) => findSameContent);
		const stale = ordered.length > 0 ? await this.raiseMarks(ordered) : NONE;
		const claims = claimEvents(this.shards, commands, stale);
		this.settler.wake();
		if (asking.length === 0) return await claims;
		const [replies, sameContent] = await Promise.all([
			claims,
			findSameContent(this.shards, asking),
		]);
		return replies.map((reply, i) => {
			const other = reply.outcome === 'new' && sameContent.get(commands[i]);
			return other ? { ...reply, sameContentAs: other } : reply;
		});
	}

	/** The commands that are older than what their object has. */
	private async raiseMarks(ordered: ClaimCommand[]): Promise<Set<ClaimCommand>> {
		const replies = await this.shards.distribute(ordered, {
			script: 'mark',
			identify: ({ namespace, object }) => `${namespace}\0${object}`,
			encode: ({ version, retention }, object) => [object, String(version), retention],
		});
		return new Set(ordered.filter((_, i) => replies[i] === 1));
	}

	async begin(commands: BeginCommand[]): Promise<BeginReply[]> {
		const call = randomUUID();
		const identified = commands.map((command, i) => ({ ...command, call: `${call}/${i}` }));
		return await this.apply('begin', identified, json, ({ reply, base }) => {
			if (base.status !== 'ok') return base;
			return { ...base, outcome: reply.text() as BeginReply['outcome'], step: reply.step() };
		});
	}

	async finish(commands: FinishCommand[]): Promise<FinishReply[]> {
		return await this.apply(
			'finish',
			commands,
			({ output = '', undo = '', ...rest }) => [JSON.stringify(rest), output, undo],
			({ reply, base, command: { output, undo } }) => {
				if (base.status === 'repeated') return { ...base, step: reply.step() };
				if (base.status !== 'ok') return base;
				const values = {
					...(output !== undefined && { output }),
					...(undo !== undefined && { undo }),
				};
				return { ...base, step: { ...reply.step(), ...values } };
			},
		);
	}

	async takeUndos(commands: TakeUndosCommand[]): Promise<TakeUndosReply[]> {
		return await this.apply('takeUndos', commands, json, ({ reply, base }) => {
			if (base.status !== 'ok') return base;
			const undos: StoredStep[] = [];
			while (!reply.isAtEnd) undos.push(reply.step());
			return { ...base, undos };
		});
	}

	async markUndone(commands: UndoneCommand[]): Promise<FinishReply[]> {
		return await this.apply('markUndone', commands, json, ({ reply, base }) =>
			base.status === 'ok' || base.status === 'repeated' ? { ...base, step: reply.step() } : base,
		);
	}

	async complete(commands: CompleteCommand[]): Promise<WriteReply[]> {
		return await this.apply(
			'complete',
			commands,
			({ result = '', ...rest }) => [JSON.stringify(rest), result],
			({ reply, base }) => ({
				...base,
				...reply.texts('result'),
				...(base.status === 'unfinished' && { steps: reply.rest() as string[] }),
			}),
		);
	}

	async fail(commands: FailCommand[]): Promise<WriteReply[]> {
		return await this.apply('fail', commands, json, ({ base }) => base);
	}

	async renew(commands: RenewCommand[]): Promise<WriteReply[]> {
		return await this.apply('renew', commands, json, ({ base }) => base);
	}

	async release(commands: ReleaseCommand[]): Promise<WriteReply[]> {
		return await this.apply('release', commands, json, ({ base }) => base);
	}

	async failByExecution(command: FailByExecutionCommand): Promise<EventSummary[]> {
		const failed: EventSummary[] = [];
		const first: ListQuery = { executionId: command.executionId, order: 'key', limit: BATCH_LIMIT };
		for (let query: ListQuery | undefined = first; query; ) {
			const page: EventSummary[] = await this.list(query);
			const open = page.filter(({ state }) => state === 'processing' || state === 'waiting');
			const commands = open.map(({ namespace, key }) => ({
				...command,
				namespace,
				key,
				retryAfter: 0,
			}));
			for (const { status, event } of await this.apply(
				'fail',
				commands,
				json,
				({ base }) => base,
			)) {
				// A repetition whose first answer was lost finds its own work done.
				if (status === 'ok' || status === 'repeated') failed.push(event!);
			}
			const last = page.at(BATCH_LIMIT - 1);
			query = last && { ...first, after: { time: 0, namespace: last.namespace, key: last.key } };
		}
		return failed;
	}

	async requestApprovals(commands: ApprovalCommand[]): Promise<ApprovalReply[]> {
		return await this.apply(
			'request',
			commands,
			({ content = '', ...rest }) => [JSON.stringify(rest), content],
			({ reply, base, command: { content } }) => {
				if (base.status !== 'ok') return base;
				const isNew = reply.number() === 1;
				const approval = reply.approval();
				if (isNew && content !== undefined) approval.content = content;
				return { ...base, isNew, approval };
			},
		);
	}

	async decideApproval(command: DecisionCommand): Promise<DecisionReply> {
		const shard = this.shards.of(idOf(command));
		const values = await this.shards.run('decide', shard, json(command));
		const reply = new Reply(values as Value[]);
		const outcome = reply.text() as DecisionReply['outcome'];
		return { outcome, ...(outcome !== 'unknown' && { approval: reply.approval() }) };
	}

	async noteApproval(command: NoteCommand): Promise<NoteReply> {
		const shard = this.shards.of(idOf(command));
		return { noted: (await this.shards.run('note', shard, json(command))) === 1 };
	}

	async get(addresses: EventAddress[]): Promise<Array<StoredDetails | null>> {
		return await this.shards.distribute(addresses, {
			script: 'get',
			identify: idOf,
			encode: (_, id) => [id],
			decode: readDetails,
		});
	}

	async list(query: ListQuery): Promise<EventSummary[]> {
		return await listEvents(this.shards, query);
	}

	async history(addresses: EventAddress[]): Promise<HistoryEntry[][]> {
		const found = await this.shards.distribute<EventAddress>(addresses, {
			script: 'history',
			identify: idOf,
			encode: (_, id) => [id],
		});
		return found.map((entries) =>
			(entries as string[]).map((entry) => JSON.parse(entry) as HistoryEntry),
		);
	}

	async stats({ namespace = '', days }: { namespace?: string; days: number }): Promise<Stats> {
		return await readStats(this.shards, namespace, days);
	}

	async take(command: TakeCommand): Promise<StoredDetails[]> {
		const { limit } = command;
		const states = command.kinds.map((kind) => STATE_OF_WORK[kind]);
		const taken: StoredDetails[] = [];
		for (let isContested = true; isContested && taken.length < limit; ) {
			const due = await listDue(this.shards, states, command, limit - taken.length);
			const found = await this.shards.distribute(due, {
				script: 'take',
				leading: json({ ...command, states, call: randomUUID() }),
				identify: idOf,
				encode: (_, id) => [id],
				decode: readDetails,
			});
			const got = found.filter((details) => details !== null);
			taken.push(...got);
			// Somebody else was faster for some: there may be more behind them.
			isContested = got.length < found.length;
		}
		return taken;
	}

	async import(commands: ImportCommand[]): Promise<ImportReply[]> {
		const replies = await this.shards.distribute<ImportCommand>(commands, {
			script: 'import',
			identify: idOf,
			encode: ({ result = '', ...command }, id) => {
				const { namespace, key, fingerprint = '', retention, doneAt } = command;
				const record = JSON.stringify({ ...command, state: 'done', attempt: 0, maxAttempts: 1 });
				const isDated = doneAt === undefined ? '' : 1;
				return [id, namespace, key, fingerprint, retention, record, isDated, result];
			},
		});
		return replies.map((reply) => ({ status: reply === 1 ? 'imported' : 'exists' }));
	}

	async delete(addresses: EventAddress[]): Promise<boolean[]> {
		const deleted = await this.shards.distribute<EventAddress>(addresses, {
			script: 'delete',
			identify: idOf,
			encode: (_, id) => [id],
		});
		return deleted.map((count) => count === 1);
	}

	async purge(limit: number): Promise<number> {
		let purged = 0;
		for (const shard of this.shards.all) {
			purged += await purgeInParts(limit - purged, async (most) =>
				Number(await this.shards.run('purge', shard, [most])),
			);
		}
		return purged;
	}

	async check(): Promise<CheckReport> {
		const { server, findings } = await inspect(this.connection);
		const { events } = await this.stats({ days: 1 });
		const entries = Object.values(events).reduce((sum, count) => sum + count, 0);
		return { store: this.kind, server, schemaVersion: SCHEMA_VERSION, entries, findings };
	}

	async close(): Promise<void> {
		this.settler.close();
		await this.connection.close();
	}

	/** For the operations whose replies start with a status and the event. */
	private async apply<C extends EventAddress, R>(
		script: string,
		commands: C[],
		encode: (command: C) => Argument[],
		decode: (answer: Answer<C>) => R,
	): Promise<R[]> {
		return await this.shards.distribute<C, R>(commands, {
			script,
			identify: idOf,
			encode,
			decode: (values, own) =>
				own.map((command, i) => {
					const reply = new Reply(values[i] as Value[]);
					const status = reply.text() as WriteStatus;
					const event = reply.summary();
					return decode({ reply, base: { status, ...(event && { event }) }, command });
				}),
		});
	}
}

interface Answer<C> {
	base: { status: WriteStatus; event?: EventSummary };
	/** What comes after it. */
	reply: Reply;
	command: C;
}

function readDetails([now, ...found]: Value[]): Array<StoredDetails | null> {
	return found.map((values) =>
		values === null ? null : new Reply(values as Value[]).details(now as number),
	);
}

function json(command: object): Argument[] {
	return [JSON.stringify(command)];
}
