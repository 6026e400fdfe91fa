import { findPrograms } from './find';
import { startPostgres } from './postgres';
import { startRedis, startRedisCluster } from './redis';

interface SharedServer {
	/** What the tests read from the environment variable. */
	url: string;
	stop(): Promise<void>;
}

const servers: Record<string, () => Promise<SharedServer>> = {
	TEST_POSTGRES_URL: () => startPostgres(),
	TEST_REDIS_URL: () => startRedis(),
	TEST_REDIS_CLUSTER_NODES: async () => {
		const { nodes, stop } = await startRedisCluster();
		return { url: nodes.map(({ host, port }) => `${host}:${port}`).join(','), stop };
	},
};

declare global {
	// The only thing that jest hands from its global setup to its global teardown is `globalThis`.
	var stopTestServers: (() => Promise<void>) | undefined;
}

/** Starts the servers that all tests of a run share. */
export default async function globalSetup(): Promise<void> {
	// Also those that only single tests start for themselves: installing is for this process alone.
	findPrograms(['postgres', 'redis', 'pgbouncer']);

	// A variable that is already set stands for a server that the user provides.
	const missing = Object.entries(servers).filter(([variable]) => !process.env[variable]);
	const stops = await Promise.all(
		missing.map(async ([variable, start]) => {
			const server = await start();
			process.env[variable] = server.url;
			return async () => {
				delete process.env[variable];
				await server.stop();
			};
		}),
	);
	globalThis.stopTestServers = async () => {
		await Promise.all(stops.map((stop) => stop()));
	};
}
