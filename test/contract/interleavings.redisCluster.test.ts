import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { redisCluster } from './stores/redis';

describe('Interleavings', () => {
	describeInterleavings(redisCluster, 100);
	describeConcurrency(redisCluster, 30);
});
