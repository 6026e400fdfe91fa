import { describeConcurrency } from './concurrency';
import { redis } from './stores/redis';

describe('Concurrency', () => describeConcurrency(redis, 30));
