import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { redis } from './stores/redis';

describe('Interleavings', () => {
	describeInterleavings(redis, 100);
	describeConcurrency(redis, 30);
});
