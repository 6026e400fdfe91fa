/** What is left when the dust has settled: effects out there against events in the ledger. */
import type { Ledger } from '../../ledger/Ledger';
import type { EventSummary } from '../../ledger/records';
import type { Effect, OutsideWorld } from '../../scripts/n8n/OutsideWorld';

/** The orders for which a service acted more than once. */
export function doubled(world: OutsideWorld, service: string): string[] {
	return [...byOrder(world.of(service))]
		.filter(([, effects]) => effects.length > 1)
		.map(([id]) => id);
}

export function byOrder(effects: Effect[]): Map<string, Effect[]> {
	const groups = new Map<string, Effect[]>();
	for (const effect of effects) {
		const orderId = String(effect.body.orderId);
		groups.set(orderId, [...(groups.get(orderId) ?? []), effect]);
	}
	return groups;
}

/** All events of a workflow, by the order that they are about. */
export async function events(
	ledger: Ledger,
	namespace: string,
): Promise<Map<string, EventSummary>> {
	const found = new Map<string, EventSummary>();
	let cursor: string | undefined;
	do {
		const page = await ledger.list({ namespace, cursor, limit: 500 });
		for (const event of page.events) found.set(event.key.replace('v1:field:', ''), event);
		cursor = page.cursor;
	} while (cursor);
	return found;
}

/** Prints the numbers of a test file as a table, past jest's own output. */
export class Table {
	private readonly rows: Array<Record<string, string | number>> = [];

	constructor(private readonly title: string) {}

	add(row: Record<string, string | number>): void {
		this.rows.push(row);
	}

	print(): void {
		const names = Object.keys(this.rows[0] ?? {});
		const lines = [
			names,
			names.map(() => '---'),
			...this.rows.map((row) => names.map((name) => row[name])),
		];
		process.stdout.write(
			`\n${this.title}\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`,
		);
	}
}
