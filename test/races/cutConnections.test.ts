import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { startPostgres } from '../servers/postgres';
import { ask, startRedis, startRedisCluster } from '../servers/redis';
import type { Crew } from './Crew';
import { expectDoneOnce, expectOfEach, investigate } from './findings';
import { LOSSY_PLACES } from './lossyPlaces';
import type { LossyProxy } from './LossyProxy';
import type { Place } from './places';
import { race } from './race';
import type { Random } from './random';
import { Workload } from './Workload';

const WORKERS = 5;
const CUTS = 60;

/** With servers of its own: nobody else's connections are to be cut. */
interface CutPlace extends Place {
	/** Cuts connections of the crew at random, until there have been {@link CUTS}. */
	cut(crew: Crew, random: Random): Promise<void>;
}

const CUT_PLACES: Record<string, () => Promise<CutPlace>> = {
	'Postgres and pg_terminate_backend': async () => {
		const server = await startPostgres();
		return {
			settings: { store: 'postgres', url: server.url },
			cut: (crew, random) => cutRepeatedly(crew, random, () => terminateBackends(server.url)),
			dispose: () => server.stop(),
		};
	},

	'Redis and CLIENT KILL': async () => {
		const server = await startRedis();
		const nodes = [{ host: '127.0.0.1', port: server.port }];
		return {
			settings: { store: 'redis', topology: 'single', nodes },
			cut: (crew, random) => cutRepeatedly(crew, random, () => killClients(server.port)),
			dispose: () => server.stop(),
		};
	},

	'Redis Cluster and CLIENT KILL': async () => {
		const { nodes, stop } = await startRedisCluster();
		const killSome = (random: Random) => killClients(random.pick(nodes).port);
		return {
			settings: { store: 'redis', topology: 'cluster', nodes },
			cut: (crew, random) => cutRepeatedly(crew, random, () => killSome(random)),
			dispose: stop,
		};
	},

	...Object.fromEntries(
		Object.entries(LOSSY_PLACES).map(([store, open]) => [
			`${store} and a network that loses answers`,
			async () => {
				const place = await open();
				const cut = (crew: Crew, random: Random) => loseAnswers(crew, random, place.proxy);
				return { ...place, cut };
			},
		]),
	),
};

for (const [name, open] of Object.entries(CUT_PLACES)) {
	race(
		`${name}: each event has one owner and each step runs once`,
		open,
		async ({ place, ledger, crew, random }) => {
			const workload = new Workload(crew, { task: 'work', claim: {}, whenInDoubt: 'review' });
			await workload.during(async () => {
				await workload.hire(WORKERS);
				await place.cut(crew, random);
			});
			// The server was never away: it is for the ledger to try again, and not for those who use it.
			expect(crew.journal.count('unavailable')).toBe(0);
			expectOfEach(await investigate(ledger, crew, workload.keys), expectDoneOnce);
		},
	);
}

async function cutRepeatedly(
	crew: Crew,
	random: Random,
	cut: () => Promise<number>,
): Promise<void> {
	for (let cuts = 0; cuts < CUTS; cuts += await cut()) {
		await sleep(random.between(20, 150));
		crew.assertWell();
	}
}

async function loseAnswers(crew: Crew, random: Random, proxy: LossyProxy): Promise<void> {
	proxy.losesAnswer = () => random.chance(0.02);
	await crew.until('answers to get lost', () => expect(proxy.losses).toBeGreaterThan(CUTS));
	proxy.losesAnswer = () => false;
}

async function terminateBackends(url: string): Promise<number> {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		const { rows } = await client.query<{ terminated: boolean }>(`
			SELECT pg_terminate_backend(pid) AS terminated FROM pg_stat_activity
			WHERE application_name = 'n8n-nodes-idempotency' AND random() < 0.3`);
		return rows.filter(({ terminated }) => terminated).length;
	} finally {
		await client.end();
	}
}

async function killClients(port: number): Promise<number> {
	return Number(await ask(port, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal')));
}
