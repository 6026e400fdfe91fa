import { setImmediate as turn } from 'node:timers/promises';

import type * as wire from '../../../../ledger/Store';
import type { Entry } from '../entry';
import { ModelLedger } from '../ModelLedger';
import type { Mutant } from './Mutant';

/** Who gets a claim, and who may write with it. */
export const claimMutants: Mutant[] = [
	{
		fault: 'looks first and writes later: two winners',
		topic: 'claims',
		beyondModel: 'it needs two at the same time',
		store: class extends ModelLedger {
			async claim(commands: wire.ClaimCommand[]) {
				const free = commands.filter((command) => !this.find(command));
				await turn();
				for (const { namespace, key } of free) {
					this.entries.delete(JSON.stringify([namespace, key]));
				}
				return await super.claim(commands);
			}
		},
	},
	{
		fault: 'lets everybody resume',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isSameWork() {
				return true;
			}
		},
	},
	{
		fault: 'knows the claimant by its execution alone',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isSameWork(found: Entry, command: wire.ClaimCommand) {
				return found.event.executionId === command.executionId;
			}
		},
	},
	{
		fault: 'takes over while the lease is live',
		topic: 'claims',
		store: class extends ModelLedger {
			protected isLeaseLive() {
				return false;
			}
		},
	},
	{
		fault: 'takes over although the policy is review, and without end',
		topic: 'claims',
		store: class extends ModelLedger {
			protected whyReview() {
				return undefined;
			}
		},
	},
	{
		fault: 'does not count duplicates',
		topic: 'claims',
		store: class extends ModelLedger {
			protected turnAway(
				...[found, outcome, options]: Parameters<ModelLedger['turnAway']>
			): wire.ClaimReply {
				found.event.duplicates--;
				return super.turnAway(found, outcome, options);
			}
		},
	},
	{
		fault: 'keeps duplicates away for ever, also after the retention',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected isExpired() {
				return false;
			}
		},
	},
	{
		fault: 'keeps the steps of an expired record',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected create(...[command]: Parameters<ModelLedger['create']>): Entry {
				const old = this.entries.get(JSON.stringify([command.namespace, command.key]));
				const entry = super.create(command);
				entry.steps = old?.steps ?? entry.steps;
				return entry;
			}
		},
	},
	{
		fault: 'does not compare fingerprints',
		topic: 'turned away',
		store: class extends ModelLedger {
			protected claimOne(command: wire.ClaimCommand) {
				const known = this.find(command)?.event.fingerprint;
				return super.claimOne({ ...command, fingerprint: known ?? command.fingerprint });
			}
		},
	},
	{
		fault: 'answers a batch in the order of keys',
		topic: 'claims',
		beyondModel: 'it needs batches',
		store: class extends ModelLedger {
			async claim(commands: wire.ClaimCommand[]) {
				return await super.claim([...commands].sort((a, b) => (a.key < b.key ? -1 : 1)));
			}
		},
	},
	{
		fault: 'accepts outdated versions',
		topic: 'ordering',
		store: class extends ModelLedger {
			protected isStale() {
				return false;
			}
		},
	},
	{
		fault: 'rounds versions',
		topic: 'ordering',
		beyondModel: 'it needs special numbers',
		store: class extends ModelLedger {
			protected isStale(command: wire.ClaimCommand) {
				const { version } = command;
				return super.isStale({ ...command, version: version && Number(version.toPrecision(14)) });
			}
		},
	},
	{
		fault: 'does not check the token',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected isToken() {
				return true;
			}
		},
	},
	{
		fault: 'refuses a stale write but renews the lease',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected held(...[command]: Parameters<ModelLedger['held']>) {
				const result = super.held(command);
				if (result.status === 'stale') this.renewLease(result.entry!);
				return result;
			}
		},
	},
	{
		fault: 'does not renew the lease',
		topic: 'fencing',
		store: class extends ModelLedger {
			protected renewLease(entry: Entry) {
				if (entry.event.leaseUntil === undefined) super.renewLease(entry);
			}
		},
	},
];
