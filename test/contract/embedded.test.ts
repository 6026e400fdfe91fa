import { describeConformance } from './harness';
import { embedded } from './stores/embedded';

describe('The embedded store', () => describeConformance(embedded));
