import { setTimeout as sleep } from 'node:timers/promises';

import type { Crew } from './Crew';
import type { Random } from './random';
import type { Workload } from './Workload';
import type { Worker } from './Worker';

const WORKERS = 5;
const STRIKES = 9;

/**
 * Strikes workers at random moments, and in the end all of them at once. Who is killed is replaced; who is frozen comes back after
 * its lease, or whatever it had for `presumedAliveMs`, is over.
 */
export async function killAndFreeze(
	workload: Workload,
	crew: Crew,
	random: Random,
	presumedAliveMs: number,
): Promise<void> {
	await workload.hire(WORKERS);
	const frozen = new Set<Worker>();
	const pending: Array<Promise<void>> = [];
	for (let strike = 1; strike <= STRIKES; strike++) {
		await sleep(random.between(50, 300));
		const active = () => crew.members.filter((worker) => worker.isReady && !frozen.has(worker));
		// Somebody has to be left to take over.
		await crew.until('two workers to be at work', () => {
			if (active().length < 2) throw new Error(`there are ${active().length}`);
		});
		const victim = random.pick(active());
		if (strike % 3 === 0) {
			frozen.add(victim);
			pending.push(freeze(victim, 2 * presumedAliveMs).then(() => void frozen.delete(victim)));
		} else {
			await victim.kill();
			pending.push(workload.hire(1));
		}
	}
	await Promise.all(pending);
	await Promise.all(crew.members.map((worker) => worker.kill()));
	await workload.hire(WORKERS);
}

async function freeze(worker: Worker, ms: number): Promise<void> {
	worker.freeze();
	await sleep(ms);
	worker.thaw();
}
