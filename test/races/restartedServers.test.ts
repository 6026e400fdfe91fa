import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '../servers/postgres';
import { startRedis } from '../servers/redis';
import type { ServerProcess } from '../servers/ServerProcess';
import { expectDoneOnce, expectKept, expectOfEach, investigate } from './findings';
import type { Place } from './places';
import { race } from './race';
import { Workload } from './Workload';

const WORKERS = 5;
const RESTARTS = 3;

interface ServerPlace extends Place {
	server: ServerProcess;
}

const SERVER_PLACES: Record<string, () => Promise<ServerPlace>> = {
	Postgres: async () => {
		const server = await startPostgres();
		const { url } = server;
		return { server, settings: { store: 'postgres', url }, dispose: () => server.stop() };
	},

	'Redis with appendfsync always': async () => {
		const server = await startRedis({ appendfsyncAlways: true });
		const nodes = [{ host: '127.0.0.1', port: server.port }];
		const settings = { store: 'redis', topology: 'single', nodes } as const;
		return { server, settings, dispose: () => server.stop() };
	},
};

for (const [name, open] of Object.entries(SERVER_PLACES)) {
	race(
		`${name} is killed and started again under load: nothing acknowledged is lost, nothing is claimed twice`,
		open,
		async ({ place: { server }, ledger, crew, random }) => {
			const workload = new Workload(crew, { task: 'work', claim: {}, whenInDoubt: 'review' });
			await workload.during(async () => {
				await workload.hire(WORKERS);
				for (let restart = 1; restart <= RESTARTS; restart++) {
					// The workers are well at it: at first, and again after each restart, all by themselves.
					const before = crew.journal.count('complete');
					await crew.until('the workers to get on', () =>
						expect(crew.journal.count('complete')).toBeGreaterThan(before + 50),
					);
					await sleep(random.between(0, 200));
					await server.kill();
					await server.restart();
					expectOfEach(await investigate(ledger, crew, []), expectKept);
				}
			});
			expectOfEach(await investigate(ledger, crew, workload.keys), expectDoneOnce);
		},
	);
}
