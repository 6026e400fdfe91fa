import { CONFORMANCE } from './conformance';
import { clock } from './conformance/clock';
import { describeConformance } from './harness';
import { redisCluster } from './stores/redis';

describe('Redis Cluster', () => describeConformance(redisCluster, { ...CONFORMANCE, clock }));
