import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { redisCluster } from './stores/redis';

describe('Interleavings', () => {
	describeInterleavings(redisCluster, 60);
	describeConcurrency(redisCluster, 30);
});
