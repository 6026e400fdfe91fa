import type { Part } from '../parts';
import { openLedger } from '../product';
import { CONTESTANTS } from './contestants';
import { type Course, FULL, type Growth, grow, reportGrowth } from './growth';

const COURSE: Course = { ...FULL, sizes: [...FULL.sizes, 10_000_000], minutes: 20 };

/** How a ledger grows, ten times further. By itself, because to fill it in takes as long as all other parts together. */
export const hugePart: Part = {
	name: 'huge',
	resultsFile: 'RESULTS-10M.md',
	async run(report) {
		const growths: Growth[] = [];
		for (const create of CONTESTANTS) {
			const contestant = await create();
			const ledger = await openLedger(contestant.settings);
			try {
				report.progress(`${contestant.name}: growing`);
				growths.push(await grow(contestant, ledger, COURSE));
			} finally {
				await ledger.close();
				await contestant.stop();
			}
		}
		reportGrowth(report, growths, 'growth-10M.svg');
	},
};
