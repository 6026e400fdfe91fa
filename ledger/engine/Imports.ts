import type { ImportCommand } from '../rules/commands';
import { importedEvent } from '../rules/claim';
import type { Insertion, RecordStore } from '../stores/RecordStore';
import { CallBatcher } from './CallBatcher';
import { firstRevision } from './calls';
import { eventOf, freshBodyOf, isExpired } from './codec';
import { nameOf } from './RecordCache';

type Imported = 'imported' | 'exists';

/** Records of events that were done elsewhere. */
export class Imports {
	private readonly calls: CallBatcher<ImportCommand, Imported>;

	constructor(private readonly store: RecordStore) {
		this.calls = new CallBatcher((commands) => this.import(commands), store.callsAtOnce);
	}

	send(commands: ImportCommand[]): Promise<Imported[]> {
		return this.calls.send(commands);
	}

	/** Of several with one key the first counts. */
	private async import(commands: ImportCommand[]): Promise<Imported[]> {
		const firsts = new Map<string, ImportCommand>();
		for (const command of commands) {
			if (!firsts.has(nameOf(command))) firsts.set(nameOf(command), command);
		}
		const imported = await this.insert([...firsts.values()]);
		return commands.map((command) => (imported.has(command) ? 'imported' : 'exists'));
	}

	private async insert(commands: ImportCommand[]): Promise<Set<ImportCommand>> {
		const imported = new Set<ImportCommand>();
		for (let open = commands; open.length > 0; ) {
			const { now, replies } = await this.store.insert(open.map(insertionOf));
			const expired = open.filter((command, i) => {
				const reply = replies[i];
				// Of its own insertion, if the answer to a first try was lost.
				const isOwn = reply.inserted || eventOf(reply.met).claimCall === command.call;
				if (isOwn) imported.add(command);
				return !isOwn && isExpired(reply.met, now);
			});
			if (expired.length > 0) {
				await this.store.remove(
					expired.map(({ namespace, key }) => ({ namespace, key, onlyIfExpired: true })),
				);
			}
			open = expired;
		}
		return imported;
	}
}

function insertionOf(command: ImportCommand): Insertion {
	const { namespace, key, fingerprint, externalId, result, retentionMs } = command;
	return {
		namespace,
		key,
		revision: firstRevision(),
		state: 'done',
		expiresAfterMs: retentionMs,
		fingerprint,
		externalId,
		body: freshBodyOf(importedEvent({ ...command, doneAt: command.doneAt ?? 0 }, 0)),
		result,
		count: 'imported',
	};
}
