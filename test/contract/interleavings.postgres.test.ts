import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { postgres } from './stores/postgres';

describe('Interleavings', () => {
	describeInterleavings(postgres, 40);
	describeConcurrency(postgres, 20);
});
