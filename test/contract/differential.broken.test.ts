import * as fc from 'fast-check';

import { keepsInvariants } from './concurrency';
import { model, onStores, withLedgers } from './differential/ledgers';
import { allAgree, type Compared } from './differential/property';
import { withFixture } from './harness';
import { MemoryStore } from './model/MemoryStore';
import { modelUnderTest } from './model/modelUnderTest';
import { MUTANTS } from './model/mutants';
import type { Mutant } from './model/mutants/Mutant';
import { embedded } from './stores/embedded';

// As for the conformance suite: random tests have to find the faults that were put in on purpose, and no others.

/** What must not happen by bad luck has its seed. */
const LUCK = { seed: 1, endOnFailure: true };

async function agree(ledgers: Compared[], numRuns: number): Promise<boolean> {
	return !(await fc.check(allAgree(ledgers), { ...LUCK, numRuns })).failed;
}

describe('The comparison with the model', () => {
	const shown = MUTANTS.filter(({ beyondModel }) => !beyondModel);

	test.each(shown)('notices a ledger that $fault', async ({ rules, store }) => {
		expect(await agree([model(), model('a mutant', rules, store)], 400)).toBe(false);
	});

	test('finds nothing wrong with a ledger that is right', async () => {
		expect(await agree([model(), model('another one')], 50)).toBe(true);
	});
});

describe('The comparison of stores finds what was different once', () => {
	const former = MUTANTS.filter(({ formerly }) => formerly);

	test.each(former)('$formerly: one of them $fault', async ({ rules }) => {
		const place = await embedded();
		const [here, there] = [await place.open(), await place.open()];
		try {
			const broken = onStores('embedded', here, there, rules);
			expect(await agree([model(), broken], 400)).toBe(false);
		} finally {
			await here.close();
			await there.close();
			await place.dispose();
		}
	});

	test('which are all five', async () => {
		expect(former.map(({ formerly }) => formerly).sort()).toEqual(['L1', 'L2', 'L3', 'L4', 'L5']);
		await withLedgers({ embedded }, async (ledgers) => {
			expect(await agree([model(), ...ledgers], 10)).toBe(true);
		});
	});
});

describe('The invariants of concurrent work', () => {
	async function hold({ rules, store }: Partial<Mutant> = {}): Promise<boolean> {
		const kept = store?.() ?? new MemoryStore();
		const run = async (fixture: Parameters<typeof keepsInvariants>[0]) =>
			!(await fc.check(await keepsInvariants(fixture), { ...LUCK, numRuns: 100 })).failed;
		return await withFixture(modelUnderTest(kept), kept, run, rules);
	}

	const broken = [
		'looks first and writes later: two winners',
		'does not check who writes',
		'forgets finished steps when it is taken over',
		'writes over what others wrote',
		'says that it wrote what it did not write',
		'does not count duplicates',
	];

	test.each(broken)('do not hold for a ledger that %s', async (name) => {
		expect(await hold(MUTANTS.find(({ fault }) => fault === name)!)).toBe(false);
	});

	test('hold for a ledger that is right', async () => {
		expect(await hold()).toBe(true);
	});
});
