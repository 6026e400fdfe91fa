// A process that uses a ledger: `node --import tsx program.ts <Order as JSON>`.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { Compensation } from './Compensation';
import type { Message, Report } from './orders';
import { order } from './self';
import { storm } from './storm';
import { Work } from './Work';

// --- serve ---

async function answer(
	ledger: Ledger,
	{ id, method, args, at = 0 }: Extract<Message, { kind: 'call' }>,
): Promise<void> {
	try {
		await sleep(Math.max(0, at - Date.now()));
		const call = ledger[method] as (...args: unknown[]) => Promise<unknown>;
		const value = await call.apply(ledger, args);
		send({ kind: 'answer', id, value: Array.isArray(value) ? value.map(portable) : value });
	} catch (error) {
		send({ kind: 'answer', id, error: String(error) });
	}
}

/** Of a refused item only the error's name: that is what tests ask for, and classes do not travel. */
function portable(item: unknown): unknown {
	const { error } = (item ?? {}) as { error?: unknown };
	return error instanceof Error ? { ok: false, error: error.name } : item;
}

// --- the process ---

function send(report: Report): void {
	process.send!(report);
}

async function heard(kind: Message['kind']): Promise<void> {
	await new Promise<void>((resolve) => {
		process.on('message', (message: Message) => {
			if (message.kind === kind) resolve();
		});
	});
}

async function main(): Promise<void> {
	// Nobody is left to end a worker whose parent is gone.
	const abandon = () => process.exit(2);
	process.once('disconnect', abandon);
	const ledger = await openLedger(order.settings);
	process.on('message', (message: Message) => {
		if (message.kind === 'limit') Object.assign(order, message);
		if (message.kind === 'call') void answer(ledger, message);
	});
	const [go, end] = [heard('go'), heard('end')];
	send({ kind: 'ready', time: Date.now() });
	await go;

	if (order.task === 'storm') await storm(ledger, order);
	if (order.task === 'work') await new Work(ledger, order).run();
	if (order.task === 'compensate') await new Compensation(ledger, order).run();
	if (order.task === 'serve') await end;

	await ledger.close();
	process.off('disconnect', abandon);
	process.disconnect();
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
