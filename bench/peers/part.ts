import type { Part } from '../parts';
import { median } from '../measure';
import type { Report, Row } from '../Report';
import { FACTS } from './facts';
import { installPeers } from './install';
import { RESULT } from './Peer';
import { GUARDS, race, WORK_MS } from './races';
import { type Standing, speed } from './speed';
import { postgresStage, redisStage } from './stages';

const GLIDE_ISSUE = 'https://github.com/aws-powertools/powertools-lambda-typescript/issues/5716';

/** The least that our rate is of theirs with new keys, one at a time and 16 at a time. */
const BARS: Record<string, { alone: number; together: number }> = {
	Redis: { alone: 0.95, together: 1 },
	Postgres: { alone: 2, together: 2 },
};

/** Other libraries that do something once per key, on the same server and with the same durability. */
export const peersPart: Part = {
	name: 'peers',
	async run(report, size) {
		const installed = await installPeers();
		report.section('Beside libraries that do something once per key');
		report.text(
			`A *new key* is claimed, work is done that does nothing, and its result (${JSON.stringify(RESULT).length} bytes) is stored. ` +
				'A *repeat* finds that its key is done and gets the stored result. All run in one process, in turns, on the same server, ' +
				'each with its own client and its own defaults. Rates are medians, ± half the distance of the quartiles; *ours* is the median of ' +
				'our rate divided by theirs, round by round: below 1 we are slower.',
		);
		const races: Row[] = [];
		for (const start of [redisStage, postgresStage]) {
			const { store, server, peers, unmeasured, amounts, stop } = await start(installed, size);
			try {
				report.text(`### On ${store}`);
				report.text(`${server}. ${amounts.rounds} rounds.`);
				report.text(peers.map(({ name, setup }) => `- **${name}**: ${setup}`).join('\n'));
				const { rows, standings } = await speed(peers, amounts);
				report.table(rows);
				judge(report, store, standings);
				for (const peer of [...peers, ...unmeasured]) {
					races.push({ 'who, where': `${peer.name}, ${store}`, ...(await race(peer)) });
				}
			} finally {
				await stop();
			}
		}
		report.text('### When the same key is started many times at once');
		report.text(
			`20 keys, each started 20 times at the same moment, with work that takes ${WORK_MS} ms: it has to be done 20 times. The starts come from ` +
				`${GUARDS} instances with connections of their own (DBOS: one, there cannot be more in a process). Who starts when the work is ` +
				'done gets its result. Afterwards every key is started once more. *Powertools on Glide* is Powertools with the other client ' +
				`that its documentation names; its maintainers know that nothing is claimed then (${GLIDE_ISSUE}).`,
		);
		report.table(races);
		report.text('### What each of them keeps');
		report.text(
			'They do not do the same: this is what the rates above include, as read in the sources of these versions.',
		);
		report.table(FACTS);
	},
};

function judge(report: Report, store: string, standings: Standing[]): void {
	const { alone, together } = BARS[store];
	for (const { peer, kind, workers, ours } of standings) {
		if (kind !== 'new') continue;
		report.bar({
			what: `${store}, new key, ${workers} at a time: our rate / that of ${peer}`,
			value: median(ours),
			bar: workers === 1 ? alone : together,
			bound: 'least',
		});
	}
}
