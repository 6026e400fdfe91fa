import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { postgres } from './stores/postgres';

describe('Interleavings', () => {
	describeInterleavings(postgres, 100);
	describeConcurrency(postgres, 30);
});
