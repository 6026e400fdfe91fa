/** The package installed as n8n's community nodes panel does it: everything loads, and the credential's test says what is wrong. */
import type { IDataObject } from 'n8n-workflow';

import manifest from '../../package.json';
import { DEFAULT_VERSION, LAST_OF_1X } from '../../scripts/n8n/host';
import { startRedis } from '../servers/redis';
import { freePort } from '../servers/ServerProcess';
import { deliver } from './sender';
import { full } from './size';
import { Stage } from './Stage';

const CREDENTIAL = 'idempotencyLedgerApi';

describe.each(full ? [DEFAULT_VERSION, LAST_OF_1X] : [DEFAULT_VERSION])('in n8n %s', (version) => {
	let stage: Stage;
	beforeAll(async () => (stage = await Stage.open({ mode: 'regular', version })));
	afterAll(() => stage?.close());

	it('all nodes and the credential load, with their icons', async () => {
		const nodes = await stage.n8n.api.types('nodes');
		const ours = nodes.filter(({ name }) => /^n8n-nodes-idempotency\.\w+(?<!Tool)$/.test(name));
		const expected = manifest.n8n.nodes.map((file) => /(\w+)\.node\.js$/.exec(file)![1]);
		expect(ours.map(({ name }) => name.split('.')[1].toLowerCase()).sort()).toEqual(
			expected.map((name) => name.toLowerCase()).sort(),
		);
		for (const { iconUrl } of ours) {
			for (const path of Object.values(iconUrl as unknown as Record<string, string>)) {
				const icon = await fetch(`${stage.n8n.url}/${path}`);
				expect([path, icon.status, icon.headers.get('content-type')]).toEqual([
					path,
					200,
					expect.stringContaining('image/svg+xml'),
				]);
			}
		}
		const credentials = await stage.n8n.api.types('credentials');
		expect(credentials.map(({ name }) => name)).toContain(CREDENTIAL);
	});

	it('a published workflow runs', async () => {
		const place = await stage.ledger('embedded');
		const { url } = await stage.publish('01-webhook-dedupe', place);
		const first = await deliver(url, { orderId: version, amount: 1 });
		expect(first).toMatchObject({ status: 200, body: { status: 'created' } });
		expect(await deliver(url, { orderId: version, amount: 1 })).toEqual(first);
	});

	describe("the credential's test", () => {
		const test = (data: IDataObject) => stage.n8n.api.testCredential(CREDENTIAL, data);

		it('says OK, and what it found', async () => {
			const postgres = await stage.ledger('postgres');
			const redis = await stage.ledger('redis');
			const good: Array<[IDataObject, RegExp]> = [
				[{ store: 'embedded', file: `${stage.userFolder}/test.sqlite` }, /SQLite/],
				[{ store: 'postgres', connectWith: 'url', url: postgres.server!.url }, /PostgreSQL 1/],
				[
					{ store: 'redis', topology: 'single', host: '127.0.0.1', port: redis.server!.port },
					/Redis/,
				],
			];
			for (const [data, message] of good) {
				expect(await test(data)).toEqual({ status: 'OK', message: expect.stringMatching(message) });
			}
		});

		it('says what is wrong', async () => {
			const nobody = await freePort();
			const { server } = await stage.ledger('postgres');
			const url = (change: (url: URL) => void) => {
				const changed = new URL(server!.url);
				change(changed);
				return { store: 'postgres', connectWith: 'url', url: changed.href };
			};
			const forgetful = await startRedis({ extraArgs: ['--appendonly', 'no'] });
			const evicting = await startRedis({
				extraArgs: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
			});
			const redis = (port: number) => ({
				store: 'redis',
				topology: 'single',
				host: '127.0.0.1',
				port,
			});
			const bad: Array<[IDataObject, RegExp]> = [
				[{ store: 'embedded', file: '/proc/nowhere/ledger.sqlite' }, /\/proc\/nowhere/],
				[url((it) => (it.port = String(nobody))), /Nothing accepts connections/],
				[url((it) => (it.password = 'wrong')), /password/],
				[url((it) => (it.pathname = '/missing')), /missing.*does not exist/],
				[redis(nobody), /cannot be reached/],
				[redis(evicting.port), /evict/],
				[redis(forgetful.port), /disk|appendonly/],
			];
			try {
				for (const [data, message] of bad) {
					const answer = { status: 'Error', message: expect.stringMatching(message) };
					expect(await test(data)).toEqual(answer);
				}
			} finally {
				await Promise.all([forgetful.stop(), evicting.stop()]);
			}
		});
	});
});

it('in queue mode the test refuses the embedded ledger', async () => {
	const stage = await Stage.open({ mode: 'queue', workers: 0 });
	try {
		const answer = await stage.n8n.api.testCredential(CREDENTIAL, { store: 'embedded' });
		expect(answer).toEqual({ status: 'Error', message: expect.stringMatching(/queue mode/) });
	} finally {
		await stage.close();
	}
});
