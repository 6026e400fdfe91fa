import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { EventAddress } from '../../../ledger/records';
import { openSqliteStore } from '../../../ledger/sqlite/SqliteStore';
import type { StoreUnderTest } from '../harness';
import { AGO_MS } from './shared';

/** A file in a folder of its own. */
export async function embedded(): Promise<StoreUnderTest> {
	const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
	const settings = { store: 'embedded', file: join(folder, 'ledger.sqlite') } as const;
	await (await openSqliteStore(settings)).close();
	const database = new DatabaseSync(settings.file, { timeout: 5000 });
	const past = `CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${AGO_MS}`;
	const update = (sql: string, ...values: string[]) => {
		const { changes } = database.prepare(sql).run(...values);
		if (!changes) throw new Error(`Nothing to do: ${sql}`);
	};
	const event = `SELECT e.id FROM event e JOIN namespace n ON n.id = e.namespace_id
		WHERE n.name = ? AND e.key = ?`;
	const updateEvent = (change: string, { namespace, key }: EventAddress, state = 'any') => {
		const sql = `UPDATE event SET ${change} WHERE id = (${event}) AND ? IN (state, 'any')`;
		update(sql, namespace, key, state);
	};
	return {
		open: () => openSqliteStore(settings),
		manyItems: 100_000,
		expireLease: async (address) =>
			updateEvent(`lease_until = ${past}, due_at = ${past}`, address, 'processing'),
		expireRecord: async (address) => updateEvent(`expires_at = ${past}`, address, 'done'),
		expireApproval: async (address, gate) => {
			const approval = `event_id = (${event}) AND gate = ?`;
			const { namespace, key } = address;
			update(`UPDATE approval SET expires_at = ${past} WHERE ${approval}`, namespace, key, gate);
			updateEvent(`due_at = iif(state = 'waiting', ${past}, due_at)`, address);
		},
		makeDue: async (address) => updateEvent(`due_at = ${past}`, address),
		expireUndos: async ({ namespace, key }) => {
			const taken = `event_id = (${event}) AND undo_until IS NOT NULL`;
			database.prepare(`UPDATE step SET undo_until = ${past} WHERE ${taken}`).run(namespace, key);
		},
		dispose: async () => {
			database.close();
			rmSync(folder, { recursive: true });
		},
	};
}
