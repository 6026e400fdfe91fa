import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';

import type { Fixture } from './conformance/Case';
import { type StoreUnderTest, useStore, withFixture } from './harness';
import { ModelLedger } from './model/ModelLedger';
import { modelUnderTest } from './model/modelUnderTest';
import { anySequence } from './model/operations';
import { comparable, Side } from './model/Side';

/** A failure prints its seed; `TEST_SEED=… npx jest …` runs the same again. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

type WithFixture = (run: (fixture: Fixture) => Promise<void>) => Promise<void>;

/** Random sequences of what several workers do, some with outdated tokens: a store and the model always agree. */
export function agreesWithModel(withStore: WithFixture) {
	return fc.asyncProperty(anySequence, async (operations) => {
		const model = new ModelLedger(() => 1_700_000_000_000);
		await withStore(async (fixture) => {
			await withFixture(modelUnderTest(model), model, async (twin) => {
				const real = new Side(fixture);
				const right = new Side({ ...twin, namespace: fixture.namespace });
				for (const operation of operations) {
					const expected = comparable(await right.perform(operation));
					const result = comparable(await real.perform(operation));
					expectSame({ operation, result }, { operation, result: expected });
				}
				expectSame(comparable(await real.see()), comparable(await right.see()));
			});
		});
	});
}

/** As `toEqual`, which is slow, and shows the difference when there is one. */
function expectSame(actual: unknown, expected: unknown): void {
	if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

export function describeInterleavings(
	create: () => Promise<StoreUnderTest>,
	numRuns: number,
): void {
	const { withFixture: withStore } = useStore(create);

	test(`does what the model does (seed ${SEED})`, async () => {
		const options = { seed: SEED, numRuns, interruptAfterTimeLimit: 90_000 };
		await fc.assert(agreesWithModel(withStore), options);
	}, 120_000);
}
