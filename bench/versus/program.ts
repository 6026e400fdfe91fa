// A process with the ledger of one checkout: `node --import tsx program.ts <Order as JSON>`.
import { createRequire } from 'node:module';

import type * as openModule from '../../ledger/open';
import { EventRunner } from './EventRunner';
import type { Message, Order, Report } from './orders';

async function main(): Promise<void> {
	const order = JSON.parse(process.argv[2]) as Order;
	const { openLedger } = createRequire(order.open)(order.open) as typeof openModule;
	const ledger = await openLedger(order.settings);
	const runner = new EventRunner(ledger);
	// Nobody is left to end it when its parent is gone.
	const abandon = () => process.exit(2);
	process.once('disconnect', abandon);
	process.on('message', (message: Message) => {
		void (async () => {
			try {
				if (message.kind === 'fill') {
					await runner.fill(message.events);
					send({ kind: 'filled' });
				}
				if (message.kind === 'turn') {
					send({ kind: 'times', times: await runner.turn(message.manner) });
				}
				if (message.kind === 'end') {
					await ledger.close();
					process.off('disconnect', abandon);
					process.disconnect();
				}
			} catch (error) {
				send({ kind: 'failed', error: String((error as Error).stack) });
			}
		})();
	});
	send({ kind: 'ready' });
}

function send(report: Report): void {
	process.send!(report);
}

void main();
