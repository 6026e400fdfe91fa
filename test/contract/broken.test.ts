import * as fc from 'fast-check';

import { keepsInvariants } from './concurrency';
import { CONFORMANCE } from './conformance';
import { withFixture } from './harness';
import { agreesWithModel } from './interleavings';
import { ModelLedger } from './model/ModelLedger';
import { modelUnderTest } from './model/modelUnderTest';
import { MUTANTS } from './model/mutants';

// A test that cannot fail proves nothing: each kind has to find the faults that were put in on purpose, and no others.

/** The names of the cases of a topic that a store does not pass. */
async function failures(topic: string, store: ModelLedger): Promise<string[]> {
	const place = modelUnderTest(store);
	const failed: string[] = [];
	for (const { name, run } of CONFORMANCE[topic]) {
		try {
			await withFixture(place, store, run);
		} catch {
			failed.push(name);
		}
	}
	return failed;
}

describe('The conformance suite notices a store that', () => {
	test.each(MUTANTS)('$fault', async ({ topic, store }) => {
		expect(await failures(topic, new store())).not.toEqual([]);
	});
});

describe('The conformance suite finds nothing wrong with a store that is right:', () => {
	test.each([...new Set(MUTANTS.map(({ topic }) => topic))])('%s', async (topic) => {
		expect(await failures(topic, new ModelLedger())).toEqual([]);
	});
});

/** What must not happen by bad luck has its seed. */
const LUCK = { seed: 1, numRuns: 100, endOnFailure: true };

describe('The comparison with the model', () => {
	async function agrees(store: ModelLedger): Promise<boolean> {
		const place = modelUnderTest(store);
		const property = agreesWithModel((run) => withFixture(place, store, run));
		return !(await fc.check(property, LUCK)).failed;
	}

	test.each(MUTANTS.filter(({ beyondModel }) => !beyondModel))(
		'notices a store that $fault',
		async ({ store }) => expect(await agrees(new store())).toBe(false),
	);

	test('finds nothing wrong with a store that is right', async () => {
		expect(await agrees(new ModelLedger())).toBe(true);
	});
});

describe('The invariants of concurrent work', () => {
	async function hold(store: ModelLedger): Promise<boolean> {
		return await withFixture(modelUnderTest(store), store, async (fixture) => {
			return !(await fc.check(await keepsInvariants(fixture), LUCK)).failed;
		});
	}

	const broken = ['two winners', 'check the token', 'forgets finished steps', 'count duplicates'];
	test.each(MUTANTS.filter(({ fault }) => broken.some((part) => fault.includes(part))))(
		'do not hold for a store that $fault',
		async ({ store }) => expect(await hold(new store())).toBe(false),
	);

	test('hold for a store that is right', async () => {
		expect(await hold(new ModelLedger())).toBe(true);
	});
});
