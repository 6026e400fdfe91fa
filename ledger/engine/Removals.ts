import type { EventAddress } from '../records';
import type { RecordStore, Removal, StoredRecord } from '../stores/RecordStore';
import { CallBatcher } from './CallBatcher';
import { objectHash } from './Claims';
import { eventOf, isExpired } from './codec';
import type { Entries } from './Entries';
import { nameOf, type RecordCache } from './RecordCache';

export interface RemovalCommand extends EventAddress {
	by: string;
	reason?: string;
}

/** Erases events. That somebody did, and why, is noted without their keys. */
export class Removals {
	private readonly calls: CallBatcher<RemovalCommand, boolean>;

	constructor(
		private readonly store: RecordStore,
		private readonly cache: RecordCache,
		private readonly entries: Entries,
	) {
		this.calls = new CallBatcher((commands) => this.remove(commands), store.callsAtOnce);
	}

	send(commands: RemovalCommand[]): Promise<boolean[]> {
		return this.calls.send(commands);
	}

	private async remove(commands: RemovalCommand[]): Promise<boolean[]> {
		const wanted = [...new Map(commands.map((command) => [nameOf(command), command])).values()];
		const addresses = wanted.map(({ namespace, key }) => ({ namespace, key }));
		const { now, records } = await this.store.read(addresses);
		const removed = await this.store.remove(
			addresses.map((address, i) => {
				this.cache.drop(address);
				return removalOf(address, records[i], now);
			}),
		);
		const wasThere = (i: number) => records[i] === undefined || !isExpired(records[i], now);
		const deleted = new Set(wanted.filter((_, i) => removed[i] && wasThere(i)).map(nameOf));
		await this.note(wanted.filter((command) => deleted.has(nameOf(command))));
		// Of several with one key the first was the one.
		return commands.map((command) => deleted.delete(nameOf(command)));
	}

	private async note(deleted: RemovalCommand[]): Promise<void> {
		const counts = new Map<string, { by: string; reason?: string; count: number }>();
		for (const { by, reason } of deleted) {
			const name = JSON.stringify([by, reason]);
			const known = counts.get(name);
			if (known) known.count++;
			else counts.set(name, { by, reason, count: 1 });
		}
		for (const deletion of counts.values()) await this.entries.noteDeletion(deletion);
	}
}

/** What is expired was not there, for anybody: it goes without being counted as deleted. */
function removalOf(address: EventAddress, record: StoredRecord | undefined, now: number): Removal {
	if (!record) return address;
	const { object, version } = eventOf(record);
	const removal: Removal = isExpired(record, now)
		? { ...address, onlyIfExpired: true }
		: { ...address };
	if (object !== undefined && version !== undefined) {
		removal.mark = { object: objectHash(object), version };
	}
	return removal;
}
