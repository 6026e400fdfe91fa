import { NAME_LIMIT } from '../validate';
import type { WorkKind } from '../Ledger';
import type { EventState } from '../records';
import { type ListQuery, NEVER, type TakeCommand, type TakeFilter } from '../Store';
import type { EventRow } from './rows';
import type { Transaction } from './Transaction';

/** Sorts after every key: the highest character there is, as often as a key can have it. */
const LAST_KEY = '\u{10ffff}'.repeat(NAME_LIMIT);

/** Which state an event is in when it is this kind of work. */
const STATE_OF: Record<WorkKind, EventState> = {
	stuck: 'processing',
	failed: 'failed',
	review: 'review',
	expired_gate: 'waiting',
};

/** Each way through the events has a statement of its own, which uses one index. */
export function list(tx: Transaction, query: ListQuery): EventRow[] {
	if (query.order === 'key') return listByKey(tx, query);
	return query.order === 'due' ? listByDue(tx, query, NEVER) : listByCreated(tx, query);
}

/** What `take` hands out, most urgent first. Each kind is sorted in the index, so no more than a page of each is read. */
export function dueBy(tx: Transaction, command: TakeCommand): EventRow[] {
	const { kinds, namespace, limit } = command;
	const due = kinds.flatMap((kind) =>
		listByDue(tx, { namespace, state: STATE_OF[kind], limit, order: 'due' }, tx.now, command),
	);
	return due.sort((a, b) => a.dueAt! - b.dueAt!).slice(0, limit);
}

function listByKey(tx: Transaction, query: ListQuery): EventRow[] {
	const { namespace, state, executionId, fingerprint, keyPrefix = '', after } = query;
	const { listByExecution, listByFingerprint, listByKey: listByKeyAlone } = tx.sql;
	const statement =
		executionId !== undefined
			? listByExecution
			: fingerprint !== undefined
				? listByFingerprint
				: listByKeyAlone;
	return statement.all({
		namespace: namespace ?? null,
		state: state ?? null,
		executionId: executionId ?? null,
		fingerprint: fingerprint ?? null,
		keyFrom: keyPrefix,
		keyTo: keyPrefix + LAST_KEY,
		createdAfter: query.createdAfter ?? null,
		createdBefore: query.createdBefore ?? null,
		afterNamespace: after?.namespace ?? '',
		afterKey: after?.key ?? '',
		now: tx.now,
		limit: query.limit,
	}) as unknown as EventRow[];
}

const EVERYTHING: TakeFilter = { minAge: 0, minAttempts: 0, backoff: 0, maxBackoff: 0 };

function listByDue(
	tx: Transaction,
	query: ListQuery,
	dueAt: number,
	{ minAge, minAttempts, backoff, maxBackoff } = EVERYTHING,
): EventRow[] {
	const { namespace, state, createdAfter, createdBefore, after, limit } = query;
	return tx.sql.listByDue.all({
		namespace: namespace ?? null,
		state: state!,
		createdAfter: createdAfter ?? null,
		createdBefore: createdBefore ?? null,
		dueBy: dueAt,
		claimedBy: minAge === 0 ? NEVER : tx.now - minAge,
		minAttempts,
		backoff,
		maxBackoff,
		afterTime: after?.time ?? 0,
		afterNamespace: after?.namespace ?? '',
		afterKey: after?.key ?? '',
		limit,
	}) as unknown as EventRow[];
}

function listByCreated(tx: Transaction, query: ListQuery): EventRow[] {
	const { namespace, state, createdAfter, createdBefore, after, limit } = query;
	return tx.sql.listByCreated.all({
		namespace: namespace ?? null,
		state: state ?? null,
		createdAfter: createdAfter ?? null,
		createdBefore: createdBefore ?? null,
		afterTime: after?.time ?? NEVER,
		afterNamespace: after?.namespace ?? '',
		afterKey: after?.key ?? '',
		now: tx.now,
		limit,
	}) as unknown as EventRow[];
}
