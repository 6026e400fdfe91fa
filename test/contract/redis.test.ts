import { CONFORMANCE } from './conformance';
import { clock } from './conformance/clock';
import { describeConformance } from './harness';
import { redis } from './stores/redis';

describe('Redis', () => describeConformance(redis, { ...CONFORMANCE, clock }));
