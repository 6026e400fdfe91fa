import type { EventState } from '../../../ledger/records';
import type { Fixture } from '../conformance/Case';
import { HOUR } from '../conformance/helpers';
import { HOLDER, KEYS, type Operation, WORKERS } from './operations';

const OBJECT = 'object';

/** One of the two ledgers that are compared, and what its workers remember: also what is outdated by now. */
export class Side {
	private readonly tokens = new Map<string, string>();
	private readonly holders = new Map<string, string>();
	private readonly approvals = new Map<string, string[]>();

	constructor(private readonly fixture: Fixture) {}

	/** Does it, and says what came of it. */
	async perform(operation: Operation): Promise<unknown> {
		const { ledger, namespace } = this.fixture;
		const { key, step, gate } = operation;
		const last = this.holders.get(key) ?? WORKERS[0];
		const worker = operation.worker === HOLDER ? last : operation.worker;
		const address = { namespace, key };
		const holder = `${worker} ${key}`;
		const held = { ...address, token: this.tokens.get(holder) ?? 'none' };
		const executionId = `${namespace} ${worker}`;
		const claimant = { executionId, nodeId: 'node', runIndex: 0, itemIndex: 0 };
		const author = (byOperator: boolean) => (byOperator ? { ...address, by: 'olga' } : held);

		switch (operation.kind) {
			case 'claim': {
				const { onStopped, item, carries, fingerprint, input, version } = operation;
				const [result] = await ledger.claimEvents([
					{
						...address,
						claimant: { ...claimant, itemIndex: item },
						maxAttempts: 3,
						onStopped,
						fingerprint,
						input,
						token: carries ? held.token : undefined,
						ordering: version === undefined ? undefined : { object: OBJECT, version },
					},
				]);
				if (result.claimed) {
					this.tokens.set(holder, result.token);
					this.holders.set(key, worker);
				}
				return result;
			}
			case 'begin': {
				const { whenInDoubt, fingerprint } = operation;
				return await ledger.beginSteps([{ ...held, step, claimant, whenInDoubt, fingerprint }]);
			}
			case 'finish': {
				const { state, output, undo } = operation;
				const error = state === 'failed' ? 'It broke' : undefined;
				return await ledger.finishSteps([{ ...held, step, state, output, undo, error }]);
			}
			case 'takeUndos': {
				const [taken] = await ledger.takeUndos([author(operation.byOperator)]);
				// Which was finished last depends on the clock, so the order is not compared.
				if (taken.ok) taken.value.steps.sort((a, b) => (a.name < b.name ? -1 : 1));
				return taken;
			}
			case 'markUndone':
				return await ledger.markUndone([{ ...author(operation.byOperator), step }]);
			case 'complete': {
				const { byOperator, result } = operation;
				return await ledger.completeEvents([{ ...author(byOperator), result }]);
			}
			case 'fail': {
				const { byOperator, as, later } = operation;
				const retryAfterMs = later ? HOUR : 0;
				const request = { ...author(byOperator), as, reason: `${worker} failed`, retryAfterMs };
				return await ledger.failEvents([request]);
			}
			case 'renew':
				return await ledger.renewLeases([held]);
			case 'release':
				return await ledger.releaseEvents([author(operation.byOperator)]);
			case 'failByExecution': {
				const reason = 'The execution broke';
				const failed = await ledger.failByExecution({ executionId, as: operation.as, reason });
				return failed.sort((a, b) => (a.key < b.key ? -1 : 1));
			}
			case 'ask': {
				const { holds, fingerprint, required, expires } = operation;
				const [result] = await ledger.requestApprovals([
					{
						...(holds ? held : address),
						gate,
						fingerprint,
						required,
						expiresInMs: expires ? HOUR : undefined,
						content: fingerprint,
					},
				]);
				if (result.ok) this.remember(key, gate, result.value.approval.id);
				return result;
			}
			case 'decide': {
				const { decision, person } = operation;
				const approvalId = this.approvalId(operation);
				return await ledger.decideApproval({ ...address, gate, approvalId, decision, by: person });
			}
			case 'note': {
				const { noted, person, limit } = operation;
				const approvalId = this.approvalId(operation);
				return await ledger.noteApproval({
					...address,
					gate,
					approvalId,
					kind: noted,
					by: person,
					limit,
				});
			}
			case 'take': {
				const { kinds, minAttempts, minAgeMs, backoffMs, maxBackoffMs } = operation;
				const filter = { minAttempts, minAgeMs, backoffMs, maxBackoffMs };
				const taken = await ledger.take({ kinds, namespace, by: 'taker', ...filter });
				// Which is more urgent depends on the clock, so the order is not compared.
				return taken.map(({ event }) => event.key).sort();
			}
			case 'import':
				return await ledger.importRecords([{ ...address, result: operation.result }]);
			case 'delete':
				return await ledger.deleteEvents([address]);
			case 'purge':
				await ledger.purge();
				return undefined;
			case 'expireLease':
				return await this.inTime('processing', operation, () => this.fixture.expireLease(address));
			case 'expireRecord':
				return await this.inTime('done', operation, () => this.fixture.expireRecord(address));
			case 'expireApproval':
				return await this.expireApproval(operation);
			case 'makeDue':
				return await this.makeDue(operation);
			case 'expireUndos':
				return await this.fixture.expireUndos(address);
		}
	}

	/** All that can be seen in the end. */
	async see(): Promise<unknown> {
		const { ledger, namespace } = this.fixture;
		const addresses = KEYS.map((key) => ({ namespace, key }));
		const details = await ledger.get(addresses);
		// Their order is not promised.
		for (const found of details) found?.approvals.sort((a, b) => (a.gate < b.gate ? -1 : 1));
		// Which write is the first that meets an expired gate is left to the store, if the event has several gates.
		const told = ({ kind }: { kind: string }) => kind !== 'approval_expired' && kind !== 'purged';
		const histories = await Promise.all(
			addresses.map(async (address) => (await ledger.history(address)).filter(told)),
		);
		// Stores may count what is expired and not yet removed.
		while ((await ledger.purge()).more);
		const { events, tallies } = await ledger.stats({ namespace });
		const keys = async (filter: object) =>
			(await ledger.list({ namespace, ...filter })).events.map(({ key }) => key).sort();
		const lists: Record<string, string[]> = {
			all: await keys({}),
			start: await keys({ keyPrefix: 'a' }),
		};
		for (const state of ['processing', 'waiting', 'done', 'failed', 'review'] as EventState[]) {
			lists[state] = await keys({ state });
		}
		for (const worker of WORKERS) {
			lists[worker] = await keys({ executionId: `${namespace} ${worker}` });
		}
		for (const fingerprint of ['f1', 'f2']) lists[fingerprint] = await keys({ fingerprint });
		return { details, histories, events, counts: sum(tallies.filter(told)), lists };
	}

	private approvalId({ key, gate, outdated }: { key: string; gate: string; outdated: boolean }) {
		const known = this.approvals.get(`${key} ${gate}`) ?? [];
		return known.at(outdated ? -2 : -1) ?? 'none';
	}

	private remember(key: string, gate: string, id: string): void {
		const known = this.approvals.get(`${key} ${gate}`) ?? [];
		if (known.at(-1) !== id) known.push(id);
		this.approvals.set(`${key} ${gate}`, known);
	}

	/** Lets time pass for an event only if time matters to it. */
	private async inTime(state: EventState, { key }: Operation, pass: () => Promise<void>) {
		const [found] = await this.fixture.ledger.get([{ namespace: this.fixture.namespace, key }]);
		if (found?.event.state !== state) return 'nothing';
		await pass();
		return 'passed';
	}

	private async expireApproval({ key, gate }: Operation) {
		const address = { namespace: this.fixture.namespace, key };
		const [found] = await this.fixture.ledger.get([address]);
		const approval = found?.approvals.find((candidate) => candidate.gate === gate);
		if (approval?.state !== 'pending' || approval.expiresAt === undefined) return 'nothing';
		await this.fixture.expireApproval(address, gate);
		return 'passed';
	}

	private async makeDue({ key }: Operation) {
		const address = { namespace: this.fixture.namespace, key };
		const [found] = await this.fixture.ledger.get([address]);
		if (found?.event.state !== 'failed' && found?.event.state !== 'review') return 'nothing';
		await this.fixture.makeDue(address);
		return 'passed';
	}
}

function sum(tallies: Array<{ kind: string; count: number }>): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const { kind, count } of tallies) sums[kind] = (sums[kind] ?? 0) + count;
	return sums;
}

/** What two ledgers have to agree on: all but the exact times, and the secrets that each makes for itself. */
export function comparable(value: unknown): unknown {
	if (value instanceof Error) return value.name;
	if (Array.isArray(value)) return value.map(comparable);
	if (typeof value !== 'object' || value === null) return value;
	const result: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(value)) {
		if (field === undefined || name === 'token' || name === 'id') continue;
		// Whether an event that was done and released still shows its result is left to the store.
		if (name === 'result' && 'state' in value && value.state !== 'done') continue;
		result[name] = /^at$|At$|Until$/.test(name) ? 'a time' : comparable(field);
	}
	return result;
}
