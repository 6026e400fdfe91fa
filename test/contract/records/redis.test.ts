import { Redis } from 'ioredis';

import { server, unique } from '../stores/shared';
import { redisPlace } from './redisPlace';
import { describeRecordStore } from './suite';

describeRecordStore('The Redis record store', async () => {
	const url = new URL(server('TEST_REDIS_URL'));
	return redisPlace(
		{
			store: 'redis',
			topology: 'single',
			nodes: [{ host: url.hostname, port: Number(url.port || 6379) }],
			username: decodeURIComponent(url.username) || undefined,
			password: decodeURIComponent(url.password) || undefined,
			database: Number(url.pathname.slice(1) || 0),
			prefix: unique(),
		},
		() => {
			const client = new Redis(url.href);
			return { client, masters: () => [client] };
		},
	);
});
