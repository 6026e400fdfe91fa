import type { Recovery } from '../records';
import type { RecordStore } from '../stores/RecordStore';
import { randomToken } from './calls';

/** Nobody asks more often than that who recovers: senders wait for the answer. */
const REMEMBERED_MS = 10_000;

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** What a ledger keeps that is no event, and that no list, claim or `get` reaches. */
export class Entries {
	private known?: { recoveries: Promise<Recovery[]>; until: number };

	constructor(private readonly store: RecordStore) {}

	/** The first who asks makes it. */
	async secret(name: string): Promise<string> {
		return await this.store.putEntry({
			name: `secret/${name}`,
			text: randomToken() + randomToken(),
			onlyIfMissing: true,
		});
	}

	async registerRecovery({ by, namespace }: Recovery, expiresAfterMs: number): Promise<void> {
		const name = `recovery/${JSON.stringify([by, namespace ?? null])}`;
		const recovery = JSON.stringify(namespace === undefined ? { by } : { by, namespace });
		await this.store.putEntry({ name, text: recovery, expiresAfterMs });
		this.known = undefined;
	}

	async recoveries(): Promise<Recovery[]> {
		if (!this.known || this.known.until < performance.now()) {
			const recoveries = this.readRecoveries();
			this.known = { recoveries, until: performance.now() + REMEMBERED_MS };
			recoveries.catch(() => (this.known = undefined));
		}
		return await this.known.recoveries;
	}

	private async readRecoveries(): Promise<Recovery[]> {
		const entries = await this.store.readEntries('recovery/');
		return entries.map(({ text }) => JSON.parse(text) as Recovery);
	}

	/** Without the keys: they are what was to be forgotten. */
	async noteDeletion(deletion: { by: string; reason?: string; count: number }): Promise<void> {
		await this.store.putEntry({
			name: `deletion/${new Date(await this.store.now()).toISOString()}/${randomToken()}`,
			text: JSON.stringify(deletion),
			expiresAfterMs: YEAR_MS,
		});
	}
}
