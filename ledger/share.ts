import { createHash } from 'node:crypto';

import type { Ledger } from './Ledger';
import { openLedger } from './open';
import type { LedgerSettings } from './settings';

/** A ledger that nobody has used for this long is closed. */
const IDLE_MS = 5 * 60 * 1000;

interface Shared {
	ledger: Promise<Ledger>;
	users: number;
	closing?: NodeJS.Timeout;
}

/**
 * On `globalThis`, because n8n loads the package anew when it is updated while running: both copies then use the same
 * connections, and none is left behind open.
 */
const REGISTRY = Symbol.for('n8n-nodes-idempotency/ledgers/v1');
const holder = globalThis as { [REGISTRY]?: Map<string, Shared> };

/**
 * Runs `action` with the ledger that all nodes of this process with the same settings share. It is opened once, however many
 * ask at the same time, and closed when it has been idle for a while. One that could not be opened is tried again next time.
 */
export async function withSharedLedger<T>(
	settings: LedgerSettings,
	action: (ledger: Ledger) => Promise<T>,
	idleMs: number = IDLE_MS,
): Promise<T> {
	const registry = (holder[REGISTRY] ??= new Map<string, Shared>());
	const id = identify(settings);
	const shared = registry.get(id) ?? share(registry, id, settings);
	clearTimeout(shared.closing);
	shared.users++;
	try {
		return await action(await shared.ledger);
	} finally {
		shared.users--;
		if (shared.users === 0) closeWhenIdle(registry, id, shared, idleMs);
	}
}

function share(registry: Map<string, Shared>, id: string, settings: LedgerSettings): Shared {
	const shared: Shared = { ledger: openLedger(settings), users: 0 };
	registry.set(id, shared);
	shared.ledger.catch(() => {
		if (registry.get(id) === shared) registry.delete(id);
	});
	return shared;
}

function closeWhenIdle(
	registry: Map<string, Shared>,
	id: string,
	shared: Shared,
	idleMs: number,
): void {
	clearTimeout(shared.closing);
	shared.closing = setTimeout(() => {
		if (registry.get(id) === shared) registry.delete(id);
		shared.ledger.then((ledger) => ledger.close()).catch(() => {});
	}, idleMs);
	// n8n may end whenever it likes.
	shared.closing.unref();
}

/** The settings hold secrets, so they are only remembered as a hash. */
function identify(settings: LedgerSettings): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
