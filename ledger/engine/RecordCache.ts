import type { EventAddress } from '../records';
import type { Event, Step } from '../rules/Event';

/** An event as this process wrote it last. */
export interface CachedRecord {
	revision: number;
	event: Event;
	/** The steps that are known. All, if they are as many as the event has. */
	steps: Map<string, Step>;
	/** About how many characters the steps have. */
	size: number;
}

/** Much less than n8n itself takes for the executions that hold these events. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** About what an event and its entry here take. */
const EVENT_CHARACTERS = 2000;

/**
 * What this process knows of the events that it works on, so that a holder's write need not read first. What is here may be outdated: a
 * write that is based on it says so by the revision, and is refused by the store.
 */
export class RecordCache {
	private readonly records = new Map<string, CachedRecord>();
	/** What is written anew goes to the end, so all before it are gone. */
	private oldest = this.records.keys();
	private size = 0;

	get(address: EventAddress): CachedRecord | undefined {
		return this.records.get(nameOf(address));
	}

	/** The one that was written longest ago goes first. */
	put(address: EventAddress, record: CachedRecord): void {
		const name = nameOf(address);
		this.remove(name);
		if (record.size > MOST_CHARACTERS) return;
		this.records.set(name, record);
		this.size += record.size + EVENT_CHARACTERS;
		while (this.size > MOST_CHARACTERS) this.remove(this.nextOldest());
	}

	/** A new iterator would have to find its way through the holes that those who went before have left. */
	private nextOldest(): string {
		let next = this.oldest.next();
		if (next.done) {
			this.oldest = this.records.keys();
			next = this.oldest.next();
		}
		return next.value!;
	}

	drop(address: EventAddress): void {
		this.remove(nameOf(address));
	}

	private remove(name: string): void {
		const found = this.records.get(name);
		if (!found) return;
		this.records.delete(name);
		this.size -= found.size + EVENT_CHARACTERS;
	}
}

/** Names have no control characters. */
export function nameOf({ namespace, key }: EventAddress): string {
	return `${namespace}\0${key}`;
}
