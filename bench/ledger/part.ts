import type { Part } from '../parts';
import { openLedger } from '../product';
import type { Row } from '../Report';
import { type Comparison, compare, reportComparisons } from './beside';
import { CONTESTANTS } from './contestants';
import { FULL, type Growth, grow, QUICK, reportGrowth } from './growth';
import { type Load, reportLoad, saturate } from './load';

/** What each store costs: as it grows, beside the driver's bare statement, and under more and more load. */
export const ledgerPart: Part = {
	name: 'ledger',
	async run(report, { quick }) {
		const servers: Row[] = [];
		const growths: Growth[] = [];
		const comparisons: Comparison[] = [];
		const loads: Load[] = [];
		const openBefore = openNow();
		for (const create of CONTESTANTS) {
			const contestant = await create();
			const { name, server, statement } = contestant;
			servers.push({ ledger: name, server, 'bare statement': statement });
			const ledger = await openLedger(contestant.settings);
			try {
				report.progress(`${name}: growing`);
				growths.push(await grow(contestant, ledger, quick ? QUICK : FULL));
				report.progress(`${name}: beside the bare statement`);
				comparisons.push(await compare(contestant, ledger, quick));
				report.progress(`${name}: more and more load`);
				loads.push(await saturate(contestant, ledger, quick));
			} finally {
				await ledger.close();
				await contestant.stop();
			}
		}
		report.section('The ledger and its drivers');
		report.table(servers);
		reportComparisons(report, comparisons);
		reportGrowth(report, growths);
		reportLoad(report, loads);
		report.section('What is left open');
		report.bar({
			what: 'connections and timers of this process when all ledgers are closed, more than before',
			value: openNow() - openBefore,
			bar: 0,
			bound: 'most',
		});
	},
};

/** How many connections and timers there are. */
function openNow(): number {
	const kinds = ['TCPSocketWrap', 'Timeout'];
	return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind)).length;
}
