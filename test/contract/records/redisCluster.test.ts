import { Cluster } from 'ioredis';

import { server, unique } from '../stores/shared';
import { redisPlace } from './redisPlace';
import { describeRecordStore } from './suite';

describeRecordStore('The Redis Cluster record store', async () => {
	const nodes = server('TEST_REDIS_CLUSTER_NODES')
		.split(',')
		.map((node) => ({ host: node.split(':')[0], port: Number(node.split(':')[1]) }));
	return redisPlace({ store: 'redis', topology: 'cluster', nodes, prefix: unique() }, () => {
		const client = new Cluster(nodes);
		return { client, masters: () => client.nodes('master') };
	});
});
