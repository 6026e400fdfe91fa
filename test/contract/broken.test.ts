import { RULES } from '../../ledger/rules/RuleBook';
import { CONFORMANCE } from './conformance';
import { clock } from './conformance/clock';
import { withFixture } from './harness';
import { MemoryStore } from './model/MemoryStore';
import { modelUnderTest } from './model/modelUnderTest';
import { MUTANTS } from './model/mutants';
import type { Mutant } from './model/mutants/Mutant';

// A test that cannot fail proves nothing: the suite has to find the faults that were put in on purpose, and no others.

const TOPICS: typeof CONFORMANCE = { ...CONFORMANCE, clock };

/** The first case of a topic that a ledger does not pass, if there is one. */
async function failureOf(
	topic: string,
	{ rules, store }: Partial<Mutant> = {},
): Promise<string | undefined> {
	const kept = store?.() ?? new MemoryStore();
	for (const { name, run } of TOPICS[topic]) {
		try {
			await withFixture(modelUnderTest(kept), kept, run, rules ?? RULES);
		} catch {
			return name;
		}
	}
	return undefined;
}

describe('The conformance suite notices a ledger that', () => {
	test.each(MUTANTS)('$fault', async (mutant) => {
		expect(await failureOf(mutant.topic, mutant)).toBeDefined();
	});
});

describe('The conformance suite finds nothing wrong with a ledger that is right:', () => {
	test.each([...new Set(MUTANTS.map(({ topic }) => topic))])('%s', async (topic) => {
		expect(await failureOf(topic)).toBeUndefined();
	});
});

test('For each invariant of the design there is a ledger that breaks it', () => {
	const broken = new Set(MUTANTS.map(({ invariant }) => invariant));
	expect([...broken].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
	expect(MUTANTS.length).toBeGreaterThan(100);
});
