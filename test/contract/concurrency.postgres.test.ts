import { describeConcurrency } from './concurrency';
import { postgres } from './stores/postgres';

describe('Concurrency', () => describeConcurrency(postgres, 20));
