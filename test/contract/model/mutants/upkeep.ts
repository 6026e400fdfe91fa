import type { EventAddress } from '../../../../ledger/records';
import type * as wire from '../../../../ledger/Store';
import type { Entry } from '../entry';
import { ModelLedger } from '../ModelLedger';
import type { Mutant } from './Mutant';

/** Reading, handing out, cleaning up, and what comes back of values. */
export const upkeepMutants: Mutant[] = [
	{
		fault: 'does not count everything in the stats',
		topic: 'reads',
		store: class extends ModelLedger {
			protected count(namespace: string, kind: string) {
				if (kind !== 'resumed') super.count(namespace, kind);
			}
		},
	},
	{
		fault: 'lists in the order of JavaScript',
		topic: 'lists',
		beyondModel: 'it needs special keys',
		store: class extends ModelLedger {
			async list(query: wire.ListQuery) {
				const events = await super.list(query);
				if (query.order === 'key') events.sort((a, b) => (a.key < b.key ? -1 : 1));
				return events;
			}
		},
	},
	{
		fault: 'loses what was made in the same millisecond as the end of a page',
		topic: 'lists',
		beyondModel: 'it needs pages',
		store: class extends ModelLedger {
			async list(query: wire.ListQuery) {
				const events = await super.list(query);
				const { after, order } = query;
				return after && order === 'created'
					? events.filter(({ createdAt }) => createdAt < after.time)
					: events;
			}
		},
	},
	{
		fault: 'hands out the same work twice',
		topic: 'taking',
		store: class extends ModelLedger {
			async take(command: wire.TakeCommand) {
				return await super.take({ ...command, visibility: -1 });
			}
		},
	},
	{
		fault: 'purges more than it was asked for',
		topic: 'upkeep',
		beyondModel: 'it needs many records',
		store: class extends ModelLedger {
			async purge() {
				return await super.purge(Infinity);
			}
		},
	},
	{
		fault: 'cuts large results',
		topic: 'values',
		beyondModel: 'it needs large values',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				return super.completeOne({ ...command, result: command.result?.slice(0, 65_535) });
			}
		},
	},
	{
		fault: 'alters some characters',
		topic: 'values',
		beyondModel: 'it needs special values',
		store: class extends ModelLedger {
			protected completeOne(command: wire.CompleteCommand) {
				return super.completeOne({ ...command, result: command.result?.normalize('NFC') });
			}
		},
	},
	{
		fault: 'hands out what was not tried often enough',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				return super.mayBeTaken(entry, { ...filter, minAttempts: 0 });
			}
		},
	},
	{
		fault: 'hands out what is too young',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				return super.mayBeTaken(entry, { ...filter, minAge: 0 });
			}
		},
	},
	{
		fault: 'does not leave work alone between attempts',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				return super.mayBeTaken(entry, { ...filter, backoff: 0 });
			}
		},
	},
	{
		fault: 'leaves work alone for longer than the limit',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				return super.mayBeTaken(entry, { ...filter, maxBackoff: Infinity });
			}
		},
	},
	{
		fault: 'leaves work alone although it was released',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				return super.mayBeTaken({ ...entry, releasedAttempt: 0 }, filter);
			}
		},
	},
	{
		fault: 'keeps back from people what failed often',
		topic: 'taking',
		store: class extends ModelLedger {
			protected mayBeTaken(entry: Entry, filter: wire.TakeFilter) {
				const event = { ...entry.event, state: 'failed' as const };
				return super.mayBeTaken({ ...entry, event }, filter);
			}
		},
	},
	{
		fault: 'leaves what it says that it has deleted',
		topic: 'upkeep',
		store: class extends ModelLedger {
			async delete(addresses: EventAddress[]) {
				return addresses.map((address) => this.find(address) !== undefined);
			}
		},
	},
	{
		fault: 'says that it has deleted what was not there',
		topic: 'upkeep',
		store: class extends ModelLedger {
			async delete(addresses: EventAddress[]) {
				await super.delete(addresses);
				return addresses.map(() => true);
			}
		},
	},
];
