import { CONFORMANCE } from './conformance';
import { clock } from './conformance/clock';
import { describeConformance } from './harness';
import { postgres } from './stores/postgres';

describe('Postgres', () => describeConformance(postgres, { ...CONFORMANCE, clock }));
