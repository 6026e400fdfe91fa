import type { LedgerSettings } from '../../ledger/settings';
import { startPostgres } from '../servers/postgres';
import { startRedis } from '../servers/redis';
import { LossyProxy } from './LossyProxy';
import type { Place } from './places';

/** A store behind a network that loses answers when it is told to. */
export interface LossyPlace extends Place {
	proxy: LossyProxy;
	/** The way around the proxy. */
	direct: LedgerSettings;
}

export const LOSSY_PLACES: Record<string, () => Promise<LossyPlace>> = {
	Postgres: async () => {
		const server = await startPostgres();
		const proxy = await LossyProxy.start(server.port);
		const url = new URL(server.url);
		url.port = String(proxy.port);
		return {
			proxy,
			settings: { store: 'postgres', url: url.href },
			direct: { store: 'postgres', url: server.url },
			dispose: () => stopAll(proxy, server),
		};
	},

	Redis: async () => {
		const server = await startRedis();
		const proxy = await LossyProxy.start(server.port);
		const at = (port: number): LedgerSettings => ({
			store: 'redis',
			topology: 'single',
			nodes: [{ host: '127.0.0.1', port }],
		});
		return {
			proxy,
			settings: at(proxy.port),
			direct: at(server.port),
			dispose: () => stopAll(proxy, server),
		};
	},
};

async function stopAll(...all: Array<{ stop(): Promise<void> }>): Promise<void> {
	for (const one of all) await one.stop();
}
