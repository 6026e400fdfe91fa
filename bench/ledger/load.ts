import { setTimeout as pause } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import { percentile } from '../measure';
import type { Report, Row } from '../Report';
import { claim, type Contestant } from './contestant';

/** What became of a steady stream of claims. Times in milliseconds. */
interface Stream {
	offered: number;
	achieved: number;
	latencies: number[];
	/** CPU time per claim: of this process, and of the server. */
	clientCpu: number;
	serverCpu?: number;
}

export interface Load {
	name: string;
	streams: Stream[];
}

/** Doubles the claims per second until the ledger falls behind. */
export async function saturate(
	contestant: Contestant,
	ledger: Ledger,
	quick: boolean,
): Promise<Load> {
	const seconds = quick ? 1 : 2;
	const streams: Stream[] = [];
	for (let offered = quick ? 1000 : 250; ; offered *= 2) {
		const stream = await run(contestant, ledger, offered, seconds);
		streams.push(stream);
		if (stream.achieved < 0.9 * offered) return { name: contestant.name, streams };
	}
}

/**
 * Claims arrive at fixed moments, whether or not those before them are done, as deliveries do: a ledger that stalls is charged for
 * all who wait for it.
 */
async function run(
	contestant: Contestant,
	ledger: Ledger,
	offered: number,
	seconds: number,
): Promise<Stream> {
	const latencies: number[] = [];
	const total = offered * seconds;
	const client = process.cpuUsage();
	const server = await contestant.serverCpu?.();
	const start = performance.now();
	const claims: Array<Promise<void>> = [];
	const arrive = async (at: number) => {
		await claim(ledger, 1);
		latencies.push(performance.now() - at);
	};
	while (claims.length < total) {
		const due = Math.min(total, ((performance.now() - start) * offered) / 1000);
		while (claims.length < due) claims.push(arrive(start + (claims.length * 1000) / offered));
		await pause(1);
	}
	await Promise.all(claims);
	const elapsed = performance.now() - start;
	const { user, system } = process.cpuUsage(client);
	const serverEnd = await contestant.serverCpu?.();
	return {
		offered,
		achieved: (total * 1000) / elapsed,
		latencies,
		clientCpu: (user + system) / 1000 / total,
		...(server !== undefined &&
			serverEnd !== undefined && { serverCpu: (serverEnd - server) / total }),
	};
}

export function reportLoad(report: Report, loads: Load[]): void {
	report.section('Load: single claims per second until the ledger falls behind');
	report.text(
		'One process, a pool of 10 connections. Claims arrive at fixed moments, whether or not those before them are done; a ' +
			'latency counts from that moment. The last row of each ledger is the one at which it fell behind.',
	);
	report.table(
		loads.flatMap(({ name, streams }) =>
			streams.map(
				(stream): Row => ({
					ledger: name,
					'offered per second': stream.offered.toLocaleString('en'),
					achieved: Math.round(stream.achieved).toLocaleString('en'),
					...Object.fromEntries(
						[0.5, 0.95, 0.99].map((share) => [
							`p${share * 100}, ms`,
							percentile(stream.latencies, share).toFixed(1),
						]),
					),
					'CPU here, ms': stream.clientCpu.toFixed(3),
					'CPU of the server, ms': stream.serverCpu?.toFixed(3) ?? 'same process',
				}),
			),
		),
	);
}
