import type { Ledger } from '../../../ledger/Ledger';
import type { Claimant, EventAddress, Holder } from '../../../ledger/records';
import { RecordLedger } from '../../../ledger/RecordLedger';
import { type RuleBook, RULES } from '../../../ledger/rules/RuleBook';
import type { RecordStore } from '../../../ledger/stores/RecordStore';
import { backdoorsOf } from '../backdoors';
import type { Backdoors } from '../conformance/Case';
import { holderOf, HOUR } from '../conformance/helpers';
import { inTime } from './inTime';
import { HOLDER, type Item, type Operation, type Worker, WORKERS } from './operations';
import { allPages, byName, inOrderOfTime } from './order';

/** Two processes on one store, as the workers of an n8n are. */
export type Stores = readonly [here: RecordStore, there: RecordStore];

/** One of the ledgers that are compared, and what its workers remember: also what is outdated by now. */
export class Side {
	private readonly ledgers: readonly [Ledger, Ledger];
	private readonly backdoors: Backdoors;
	private readonly attempts = new Map<string, number[]>();
	private readonly holders = new Map<string, Worker>();
	private readonly approvals = new Map<string, string[]>();
	private readonly secrets: string[] = [];

	constructor(
		[here, there]: Stores,
		private readonly namespace: string,
		rules: RuleBook = RULES,
	) {
		this.ledgers = [
			new RecordLedger(here, undefined, rules),
			new RecordLedger(there, undefined, rules),
		];
		this.backdoors = backdoorsOf(here);
	}

	get ledger(): Ledger {
		return this.ledgers[0];
	}

	/** Does it, and says what came of it. A refusal of the whole call is an answer too. */
	async perform(operation: Operation): Promise<unknown> {
		try {
			return await this.act(operation);
		} catch (error) {
			return error;
		}
	}

	private async act(operation: Operation): Promise<unknown> {
		const { items } = operation;
		const [first] = items;
		const worker = this.workerOf(operation);
		const ledger = this.ledgerOf(worker, operation.elsewhere);
		const addresses = items.map((item) => this.address(item));
		const held = items.map((item) => this.held(worker, item, operation.outdated));
		const authors = (byOperator: boolean, inState?: object) =>
			byOperator ? addresses.map((address) => ({ ...address, by: 'olga', ...inState })) : held;
		const steps = items.map(({ step, row }) => ({ step, row }));

		switch (operation.kind) {
			case 'claim':
				return await this.claim(ledger, worker, operation);
			case 'begin': {
				const { whenInDoubt, itemIndex, isSub, fingerprint } = operation;
				const by = { ...this.claimant(worker), itemIndex };
				const claimant = isSub ? { ...by, executionId: `${by.executionId} sub` } : by;
				const request = { claimant, whenInDoubt, fingerprint };
				return await ledger.beginSteps(held.map((one, i) => ({ ...one, ...steps[i], ...request })));
			}
			case 'finish': {
				const { state, output, undo, externalId } = operation;
				const error = state === 'failed' ? 'It broke' : undefined;
				const request = { state, output, undo, externalId: this.own(externalId), error };
				return await ledger.finishSteps(
					held.map((one, i) => ({ ...one, ...steps[i], ...request })),
				);
			}
			case 'resolve': {
				const { resolution, externalId } = operation;
				const request = { resolution, externalId: this.own(externalId), by: 'olga', output: 3 };
				return await ledger.resolveSteps(
					addresses.map((address, i) => ({ ...address, ...steps[i], ...request })),
				);
			}
			case 'takeUndos': {
				const request = { visibilityMs: 7 * HOUR };
				const taken = await ledger.takeUndos(
					authors(operation.byOperator).map((one) => ({ ...one, ...request })),
				);
				for (const one of taken) if (one.ok) inOrderOfTime(one.value.steps, 'finishedAt');
				return taken;
			}
			case 'markUndone':
				return await ledger.markUndone(
					authors(operation.byOperator).map((one, i) => ({ ...one, ...steps[i], reason: 'why' })),
				);
			case 'complete': {
				const { byOperator, inState, result, externalId } = operation;
				const request = { result, externalId: this.own(externalId) };
				return await ledger.completeEvents(
					authors(byOperator, { inState }).map((one) => ({ ...one, ...request })),
				);
			}
			case 'fail': {
				const { byOperator, inState, as, later } = operation;
				const request = { as, reason: `${worker} failed`, retryAfterMs: later ? 5 * HOUR : 0 };
				return await ledger.failEvents(
					authors(byOperator, { inState }).map((one) => ({ ...one, ...request })),
				);
			}
			case 'renew': {
				const leaseMs = operation.longer ? 9 * HOUR : undefined;
				return await ledger.renewLeases(held.map((one) => ({ ...one, leaseMs })));
			}
			case 'pause':
				return await ledger.pauseEvents(held.map((one) => ({ ...one, forMs: operation.forMs })));
			case 'release': {
				const { byOperator, inState } = operation;
				return await ledger.releaseEvents(authors(byOperator, { inState }));
			}
			case 'failByExecution': {
				const { instance, executionId } = this.holder(worker);
				const request = { instance, executionId, as: operation.as, reason: 'It broke' };
				return await ledger.failByExecution(request);
			}
			case 'ask': {
				const { holds, fingerprint, required, expires } = operation;
				const expiresInMs = expires ? 4 * HOUR : undefined;
				const request = { fingerprint, required, expiresInMs, content: fingerprint };
				const asked = await ledger.requestApprovals(
					items.map(({ gate }, i) => ({ ...(holds ? held : addresses)[i], gate, ...request })),
				);
				asked.forEach((one, i) => one.ok && this.remember(items[i], one.value.approval.id));
				return asked;
			}
			case 'decide': {
				const { decision, person } = operation;
				const approvalId = this.approvalId(first, operation.superseded);
				const request = { ...this.address(first), gate: first.gate, approvalId };
				return await ledger.decideApproval({ ...request, decision, by: person, comment: 'why' });
			}
			case 'note': {
				const { noted, person, limit } = operation;
				const approvalId = this.approvalId(first, operation.superseded);
				const request = { ...this.address(first), gate: first.gate, approvalId, limit };
				return await ledger.noteApproval({ ...request, kind: noted, by: person });
			}
			case 'take': {
				const { kinds, minAttempts, minAgeMs, backoffMs, maxBackoffMs } = operation;
				const { namespace } = this;
				const filter = { kinds, minAttempts, minAgeMs, backoffMs, maxBackoffMs };
				const visibilityMs = 6 * HOUR;
				const taken = await ledger.take({ ...filter, namespace, by: 'taker', visibilityMs });
				// Which is more urgent depends on the clock.
				return taken.sort((a, b) => byName(a.event, b.event));
			}
			case 'get':
				return await ledger.get(addresses);
			case 'histories':
				return await ledger.histories(addresses);
			case 'list': {
				const { by, limit } = operation;
				const { executionOf, ...filter } = { executionOf: undefined, nothing: undefined, ...by };
				const executionId = executionOf && this.holder(executionOf).executionId;
				const { externalId } = { externalId: undefined, ...filter };
				return await allPages(ledger, {
					...filter,
					executionId,
					externalId: this.own(externalId),
					namespace: this.namespace,
					limit,
				});
			}
			case 'stats':
				return (await ledger.stats({ namespace: this.namespace })).events;
			case 'import': {
				const { result, fingerprint, externalId } = operation;
				const request = { result, fingerprint, externalId: this.own(externalId) };
				return await ledger.importRecords(addresses.map((one) => ({ ...one, ...request })));
			}
			case 'delete':
				return await ledger.deleteEvents(addresses.map((one) => ({ ...one, by: 'olga' })));
			case 'purge':
				// How many it are depends on what others left.
				return (await ledger.purge()).more;
			case 'registerRecovery': {
				const namespace = operation.everywhere ? undefined : this.namespace;
				const by = `${this.namespace} ${worker}`;
				return await ledger.registerRecovery({ by, namespace, forMs: HOUR });
			}
			case 'recoveries': {
				// A ledger asks its store for them now and then; a new one asks at once.
				const all = await this.ledger.recoveries();
				return all.filter(({ by }) => by.startsWith(this.namespace));
			}
			case 'secret': {
				// Each ledger makes its own, so that all there is to compare is which of them are the same.
				const secret = await ledger.secret(`${operation.name} of ${this.namespace}`);
				if (!this.secrets.includes(secret)) this.secrets.push(secret);
				return this.secrets.indexOf(secret);
			}
			default:
				return await inTime(operation.kind, this.ledger, this.backdoors, {
					...this.address(first),
					gate: first.gate,
				});
		}
	}

	private async claim(
		ledger: Ledger,
		worker: Worker,
		operation: Extract<Operation, { kind: 'claim' }>,
	) {
		const { items, onStopped, itemIndex, actsFor, input, keepInput } = operation;
		const { version, alias, findSameContent, longer } = operation;
		const results = await ledger.claimEvents(
			items.map((item) => ({
				...this.address(item),
				claimant: { ...this.claimant(worker), itemIndex },
				actsFor: actsFor && this.holder(actsFor),
				workflowId: `workflow of ${worker}`,
				maxAttempts: 3,
				leaseMs: longer ? 8 * HOUR : 2 * HOUR,
				onStopped,
				fingerprint: operation.fingerprint,
				input,
				keepInput,
				alias,
				findSameContent,
				ordering: version === undefined ? undefined : { object: 'object', version },
			})),
		);
		results.forEach((result, i) => {
			if (!result.claimed) return;
			const name = `${worker} ${items[i].key}`;
			this.attempts.set(name, [...(this.attempts.get(name) ?? []), result.event.attempt]);
			this.holders.set(items[i].key, worker);
		});
		return results;
	}

	private workerOf({ worker, items }: Operation): Worker {
		if (worker !== HOLDER) return worker;
		return this.holders.get(items[0].key) ?? WORKERS[0];
	}

	private ledgerOf(worker: Worker, elsewhere: boolean): Ledger {
		const home = worker === 'w1' || worker === 'w2' ? 0 : 1;
		return this.ledgers[elsewhere ? 1 - home : home];
	}

	private address({ key }: Item): EventAddress {
		return { namespace: this.namespace, key };
	}

	/** External ids are looked for in all namespaces. */
	private own(externalId: string | undefined): string | undefined {
		return externalId && `${externalId} of ${this.namespace}`;
	}

	private claimant(worker: Worker): Claimant {
		const number = worker === 'clone' || worker === 'foreign' ? 'w1' : worker;
		return {
			instance: worker === 'foreign' ? 'other n8n' : 'n8n',
			executionId: `${number} of ${this.namespace}`,
			nonce: `nonce of ${worker}`,
			nodeId: 'node',
			runIndex: 0,
			itemIndex: 0,
		};
	}

	private holder(worker: Worker): Holder {
		return holderOf(this.claimant(worker));
	}

	private held(worker: Worker, item: Item, outdated: boolean) {
		const attempts = this.attempts.get(`${worker} ${item.key}`) ?? [];
		const attempt = attempts.at(outdated ? -2 : -1) ?? 1;
		return { ...this.address(item), holder: this.holder(worker), attempt };
	}

	private approvalId({ key, gate }: Item, superseded: boolean): string {
		const known = this.approvals.get(`${key} ${gate}`) ?? [];
		return known.at(superseded ? -2 : -1) ?? 'none';
	}

	private remember({ key, gate }: Item, id: string): void {
		const known = this.approvals.get(`${key} ${gate}`) ?? [];
		if (known.at(-1) !== id) known.push(id);
		this.approvals.set(`${key} ${gate}`, known);
	}
}
