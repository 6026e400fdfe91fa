import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Ledger } from '../../ledger/Ledger';
import { withSharedLedger } from '../../ledger/share';
import { until } from '../servers/ServerProcess';

describe('the shared ledger', () => {
	const folder = mkdtempSync(join(tmpdir(), 'idempotency-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	const settings = (name: string) => ({ store: 'embedded' as const, file: join(folder, name) });
	const itself = async (ledger: Ledger) => ledger;

	it('is opened once, however many ask at the same time', async () => {
		const all = await Promise.all(
			Array.from({ length: 20 }, () => withSharedLedger(settings('one'), itself, 10_000)),
		);
		expect(new Set(all).size).toBe(1);
		expect(await withSharedLedger(settings('one'), itself, 1)).toBe(all[0]);
		expect(await withSharedLedger(settings('another'), itself, 1)).not.toBe(all[0]);
	});

	it('is closed when nobody has used it for a while, and opened again when somebody does', async () => {
		const first = await withSharedLedger(settings('two'), itself, 1);
		await until('the idle ledger to be closed', async () => {
			await expect(first.check()).rejects.toMatchObject({ name: 'LedgerClosedError' });
		});
		const second = await withSharedLedger(settings('two'), itself, 1);
		expect(second).not.toBe(first);
	});

	it('stays open while somebody uses it, however long', async () => {
		await withSharedLedger(
			settings('three'),
			async (ledger) => {
				await withSharedLedger(settings('three'), itself, 1);
				// The other user's idle time is over many times when this has come back.
				for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 2));
				await expect(ledger.check()).resolves.toMatchObject({ store: 'embedded' });
			},
			1,
		);
	});

	it('is tried again after it could not be opened', async () => {
		const { file } = settings('four');
		writeFileSync(file, 'This is not a database, and long enough to be sure of that.'.repeat(50));
		await expect(withSharedLedger(settings('four'), itself, 1)).rejects.toMatchObject({
			name: 'LedgerMisconfiguredError',
		});
		rmSync(file);
		await expect(withSharedLedger(settings('four'), itself, 1)).resolves.toBeDefined();
	});
});
