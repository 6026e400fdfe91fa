import { describeConformance } from './harness';
import { modelUnderTest } from './model/modelUnderTest';

describe('The model itself keeps the contract', () => {
	describeConformance(async () => modelUnderTest());
});
