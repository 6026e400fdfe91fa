/** `npm start [-- --queue] [-- --n8n 1.123.81] [-- --port 5678]`: a real n8n with this package and the examples. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { findProgram } from '../test/servers/find';
import { startPostgres } from '../test/servers/postgres';
import { startRedis } from '../test/servers/redis';
import { makeDirectory } from '../test/servers/ServerProcess';
import { cacheDirectory } from './n8n/cache';
import { EXAMPLES, localExample } from './n8n/examples';
import { DEFAULT_VERSION, ensureHost } from './n8n/host';
import { installPackage } from './n8n/installPackage';
import { N8n } from './n8n/N8n';
import { type N8nApi, OWNER } from './n8n/N8nApi';
import { OutsideWorld } from './n8n/OutsideWorld';

const usage = 'Usage: npm start -- [--queue] [--n8n <version>] [--port <number>]';

interface Stoppable {
	stop(): Promise<void>;
}

/** In the order of their start. */
const running: Stoppable[] = [];

function keep<T extends Stoppable>(server: T): T {
	running.push(server);
	return server;
}

async function main(): Promise<void> {
	const { queue, n8n: version, port } = readArguments();
	// The examples that were imported at an earlier start know their services by this port.
	const worldPort = port + 1;
	await assertFree(port);
	await assertFree(worldPort);
	const host = await ensureHost(version, { sqlite: !queue });

	// The workflows of a queue mode are gone at the end, like the databases that they are in.
	const userFolder = queue ? makeDirectory('n8n') : join(cacheDirectory, `start-${version}`);
	console.log('Installing the package ...');
	await installPackage(userFolder);

	const world = await OutsideWorld.open(worldPort);
	keep({ stop: () => world.close() });
	console.log(`Starting n8n ${version}${queue ? ' with Postgres, Redis and two workers' : ''} ...`);
	const { n8n, ledger } = queue
		? await startQueueMode({ host, userFolder, port })
		: { n8n: keep(await N8n.start({ host, userFolder, port })), ledger: { store: 'embedded' } };

	await n8n.api.logIn();
	await importExamples(n8n.api, ledger, world.url);
	welcome(n8n.url, world.url);
}

function readArguments(): { queue: boolean; n8n: string; port: number } {
	try {
		const { values } = parseArgs({
			options: {
				queue: { type: 'boolean', default: false },
				n8n: { type: 'string', default: DEFAULT_VERSION },
				port: { type: 'string', default: '5678' },
			},
		});
		const port = Number(values.port);
		if (!Number.isInteger(port) || port < 1 || port > 65_535)
			throw new Error(`No port: ${values.port}`);
		if (!/^\d+\.\d+\.\d+/.test(values.n8n)) throw new Error(`No version of n8n: ${values.n8n}`);
		return { ...values, port };
	} catch (error) {
		throw new Error(`${(error as Error).message}\n${usage}`);
	}
}

async function assertFree(port: number): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const probe = createServer();
		probe.once('error', () =>
			reject(
				new Error(
					`Port ${port} is taken. Stop what listens there, or choose another: npm start -- --port ${port + 10}`,
				),
			),
		);
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
	});
}

async function startQueueMode(options: {
	host: Awaited<ReturnType<typeof ensureHost>>;
	userFolder: string;
	port: number;
}): Promise<{ n8n: N8n; ledger: IDataObject }> {
	findProgram('postgres', { install: true });
	findProgram('redis', { install: true });
	const postgres = keep(await startPostgres());
	const redis = keep(await startRedis());
	const n8n = await N8n.start({
		...options,
		postgresUrl: postgres.url,
		queue: { redisPort: redis.port, workers: 2 },
	});
	const ledger = {
		store: 'postgres',
		connectWith: 'url',
		url: postgres.url,
		schema: 'idempotency',
	};
	return { n8n: keep(n8n), ledger };
}

/** What is there already stays as it is: its owner may have changed it. */
async function importExamples(
	api: N8nApi,
	ledger: IDataObject,
	outsideWorldUrl: string,
): Promise<void> {
	const credentials = {
		idempotencyLedgerApi: await credentialOf(
			api,
			'Idempotency Ledger',
			'idempotencyLedgerApi',
			ledger,
		),
		openAiApi: await credentialOf(api, 'OpenAI (stand-in)', 'openAiApi', {
			apiKey: 'none',
			url: `${outsideWorldUrl}/openai/v1`,
		}),
	};
	const there = new Set((await api.workflows()).map(({ name }) => name));
	for (const example of EXAMPLES) {
		const workflow = localExample(example, { credentials, outsideWorldUrl });
		if (there.has(workflow.name)) continue;
		await api.publish(await api.createWorkflow(workflow));
		console.log(`  ${workflow.name}`);
	}
}

async function credentialOf(
	api: N8nApi,
	name: string,
	type: string,
	data: IDataObject,
): Promise<string> {
	const existing = (await api.credentials()).find((credential) => credential.name === name);
	return existing?.id ?? (await api.createCredential(name, type, data));
}

function welcome(url: string, worldUrl: string): void {
	const order = JSON.stringify({ orderId: 'A-1001', amount: 42 });
	const curl = `curl -i ${url}/webhook/orders -H 'content-type: application/json' -d '${order}'`;
	console.log(`
n8n is at ${url}
  email     ${OWNER.email}
  password  ${OWNER.password}

A first delivery, which creates an order:
  ${curl}
The same again, which is answered with the first result and creates nothing:
  ${curl}
What the shop has seen:
  curl ${worldUrl}/shop

Ctrl-C stops everything.`);
}

let stopping: Promise<void> | undefined;

async function stop(exitCode: number): Promise<void> {
	stopping ??= (async () => {
		for (const server of running.reverse()) await server.stop();
		process.exit(exitCode);
	})();
	await stopping;
}

process.on('SIGINT', () => void stop(0)).on('SIGTERM', () => void stop(0));

main().catch(async (error: Error) => {
	console.error(`\n${error.message}`);
	await stop(1);
});
