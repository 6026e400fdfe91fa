import { describeConcurrency } from './concurrency';
import { describeInterleavings } from './interleavings';
import { embedded } from './stores/embedded';

describe('Interleavings', () => {
	describeInterleavings(embedded, 100);
	describeConcurrency(embedded, 30);
});
