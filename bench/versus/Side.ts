import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Manner, Message, Order, Report, Times } from './orders';

/** The ledger of one checkout, in a process of its own. */
export class Side {
	private constructor(private readonly child: ChildProcess) {}

	static async start(order: Order): Promise<Side> {
		const child = fork(join(__dirname, 'program.ts'), [JSON.stringify(order)], {
			cwd: join(__dirname, '../..'),
			execArgv: ['--import', 'tsx'],
		});
		const side = new Side(child);
		await side.hear('ready');
		return side;
	}

	async fill(events: number): Promise<void> {
		await this.ask({ kind: 'fill', events }, 'filled');
	}

	async turn(manner: Manner): Promise<Times> {
		return (await this.ask({ kind: 'turn', manner }, 'times')).times;
	}

	async end(): Promise<void> {
		if (!this.child.connected) return;
		this.child.send({ kind: 'end' } satisfies Message);
		await once(this.child, 'exit');
	}

	private async ask<K extends Report['kind']>(message: Message, kind: K) {
		const answer = this.hear(kind);
		this.child.send(message);
		return await answer;
	}

	private async hear<K extends Report['kind']>(kind: K): Promise<Extract<Report, { kind: K }>> {
		const listening = new AbortController();
		const { signal } = listening;
		const ended = async () => {
			const [code] = await once(this.child, 'exit', { signal });
			throw new Error(`A side of the benchmark ended with ${code}`);
		};
		try {
			const heard = once(this.child, 'message', { signal }) as Promise<[Report]>;
			const [report] = await Promise.race([heard, ended()]);
			if (report.kind === 'failed') throw new Error(report.error);
			if (report.kind !== kind) throw new Error(`Heard '${report.kind}' instead of '${kind}'`);
			return report as Extract<Report, { kind: K }>;
		} finally {
			listening.abort();
		}
	}
}
