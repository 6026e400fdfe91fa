import { describeConcurrency } from './concurrency';
import { embedded } from './stores/embedded';

describe('Concurrency', () => describeConcurrency(embedded, 30));
