import { CONFORMANCE } from './conformance';
import { clock } from './conformance/clock';
import { describeConformance } from './harness';
import { modelUnderTest } from './model/modelUnderTest';

describe('The model itself keeps the contract', () => {
	describeConformance(async () => modelUnderTest(), { ...CONFORMANCE, clock });
});
