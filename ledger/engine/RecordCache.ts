import type { EventAddress } from '../records';
import type { Event, Step } from '../rules/Event';

/** An event as this process wrote it last. */
export interface CachedRecord {
	revision: number;
	event: Event;
	/** The steps that are known. All, if they are as many as the event has. */
	steps: Map<string, Step>;
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
	private readonly records = new Map<string, CachedRecord & { size: number }>();
	private size = 0;

	get(address: EventAddress): CachedRecord | undefined {
		return this.records.get(nameOf(address));
	}

	/** The one that was written longest ago goes first. */
	put(address: EventAddress, record: CachedRecord): void {
		this.drop(address);
		const size = sizeOf(record);
		if (size > MOST_CHARACTERS) return;
		this.records.set(nameOf(address), { ...record, size });
		this.size += size;
		for (const [name, { size: freed }] of this.records) {
			if (this.size <= MOST_CHARACTERS) return;
			this.records.delete(name);
			this.size -= freed;
		}
	}

	drop(address: EventAddress): void {
		const name = nameOf(address);
		this.size -= this.records.get(name)?.size ?? 0;
		this.records.delete(name);
	}
}

function sizeOf({ event, steps }: CachedRecord): number {
	let size = EVENT_CHARACTERS + event.approvals.length * 500;
	for (const { output, undo } of steps.values()) {
		size += 500 + (output?.length ?? 0) + (undo?.length ?? 0);
	}
	return size;
}

/** Names have no control characters. */
export function nameOf({ namespace, key }: EventAddress): string {
	return `${namespace}\0${key}`;
}
