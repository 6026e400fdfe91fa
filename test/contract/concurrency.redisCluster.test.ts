import { describeConcurrency } from './concurrency';
import { redisCluster } from './stores/redis';

describe('Concurrency', () => describeConcurrency(redisCluster, 30));
