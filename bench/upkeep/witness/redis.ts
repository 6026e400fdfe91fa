import { Redis } from 'ioredis';

import type { RedisSettings } from '../../../ledger/settings';
import { openLedger } from '../../product';
import type { Witness } from './witness';

/** Redis counts the commands that scripts have called, and says nothing of what each of them read. */
export const redisWitness: Witness = async (settings, operation, middle) => {
	const { host, port } = (settings as RedisSettings).nodes[0];
	const client = new Redis(port!, host);
	const ledger = await openLedger(settings);
	try {
		await client.config('RESETSTAT');
		await operation.run(ledger, middle);
		const info = await client.info('commandstats');
		const calls = [...info.matchAll(/cmdstat_(\w+)(?:\|\w+)?:calls=(\d+)/g)]
			.filter(([, command]) => !['config', 'info', 'time', 'ping'].includes(command))
			.map(([, command, count]) => ({ command, count: Number(count) }))
			.sort((a, b) => b.count - a.count);
		return {
			read: calls.map(({ command, count }) => `${command} ${count}`).join(', '),
		};
	} finally {
		await ledger.close();
		client.disconnect();
	}
};
