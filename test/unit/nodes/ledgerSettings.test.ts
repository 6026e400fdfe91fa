import { join } from 'node:path';

import { LedgerMisconfiguredError } from '../../../ledger/errors';
import { IdempotencyLedgerApi } from '../../../credentials/IdempotencyLedgerApi.credentials';
import { type LedgerCredential, ledgerSettings } from '../../../nodes/shared/ledgerSettings';

describe('ledgerSettings', () => {
	it('keeps the embedded ledger in the user folder unless told otherwise', () => {
		const credential: LedgerCredential = { store: 'embedded', file: '' };
		expect(ledgerSettings(credential, { N8N_USER_FOLDER: '/data' })).toEqual({
			store: 'embedded',
			file: join('/data', '.n8n', 'idempotency', 'ledger.sqlite'),
		});
		expect(ledgerSettings({ ...credential, file: ' /x/y.sqlite ' }, {})).toMatchObject({
			file: '/x/y.sqlite',
		});
	});

	it('refuses the embedded ledger in queue mode, and relative paths', () => {
		const queue = () => ledgerSettings({ store: 'embedded' }, { EXECUTIONS_MODE: 'queue' });
		expect(queue).toThrow(LedgerMisconfiguredError);
		expect(queue).toThrow(/queue mode/);
		expect(() => ledgerSettings({ store: 'embedded', file: 'x.sqlite' }, {})).toThrow(/full path/);
	});

	it('lets Postgres and Redis be used in queue mode', () => {
		const queue = { EXECUTIONS_MODE: 'queue' };
		expect(
			ledgerSettings({ store: 'postgres', connectWith: 'url', url: 'postgres://x' }, queue),
		).toMatchObject({ store: 'postgres', url: 'postgres://x' });
		expect(ledgerSettings({ store: 'redis', host: 'h', port: 1 }, queue)).toMatchObject({
			topology: 'single',
			nodes: [{ host: 'h', port: 1 }],
		});
	});

	it.each([
		[{ store: 'postgres', connectWith: 'url', url: ' ' }, 'Connection URL'],
		[{ store: 'postgres', connectWith: 'fields', host: '' }, 'Host'],
		[{ store: 'redis', topology: 'cluster', nodes: ' ' }, 'Nodes'],
		[{ store: 'redis', host: 'h', tls: 'client', certificate: 'c' }, 'Client Private Key'],
	] as Array<[LedgerCredential, string]>)(
		'names the field that is empty: %j',
		(credential, field) => {
			expect(() => ledgerSettings(credential, {})).toThrow(`The '${field}' field`);
		},
	);

	it('reads lists of nodes, also IPv6', () => {
		const nodes = ' a.example:6379, b:7000\n[::1]:7001 ';
		expect(ledgerSettings({ store: 'redis', topology: 'cluster', nodes }, {})).toMatchObject({
			nodes: [
				{ host: 'a.example', port: 6379 },
				{ host: 'b', port: 7000 },
				{ host: '::1', port: 7001 },
			],
		});
		expect(() => ledgerSettings({ store: 'redis', topology: 'sentinel', nodes: 'a' }, {})).toThrow(
			"'a' is not an address",
		);
	});

	it('turns the TLS choices into what the drivers take', () => {
		const tls = (choice: Partial<LedgerCredential>) =>
			ledgerSettings({ store: 'redis', host: 'h', ...choice }, {});
		expect(tls({ tls: 'off' })).toMatchObject({ tls: undefined });
		expect(tls({ tls: 'on', allowUnauthorized: true })).toMatchObject({
			tls: { allowUnauthorized: true },
		});
		expect(tls({ tls: 'client', ca: 'CA', certificate: 'C', privateKey: 'K' })).toMatchObject({
			tls: { ca: 'CA', certificate: 'C', privateKey: 'K' },
		});
	});

	it('reads no field that the credential does not have', () => {
		const declared = new Set(new IdempotencyLedgerApi().properties.map(({ name }) => name));
		const read = new Set<string>();
		const credential = (data: LedgerCredential) =>
			new Proxy(data, {
				get: (target, name: string) => {
					read.add(name);
					return target[name as keyof LedgerCredential];
				},
			});
		ledgerSettings(credential({ store: 'embedded' }), {});
		ledgerSettings(
			credential({
				store: 'postgres',
				host: 'h',
				database: 'd',
				user: 'u',
				tls: 'client',
				certificate: 'c',
				privateKey: 'k',
			}),
			{},
		);
		ledgerSettings(credential({ store: 'postgres', connectWith: 'url', url: 'u' }), {});
		ledgerSettings(credential({ store: 'redis', topology: 'sentinel', nodes: 'a:1' }), {});
		expect([...read].filter((name) => !declared.has(name))).toEqual([]);
		expect([...declared].filter((name) => !read.has(name))).toEqual([]);
	});
});
