import { setTimeout as sleep } from 'node:timers/promises';

import type { ClaimRequest, HeldRequest, Ledger } from '../../ledger/Ledger';
import { BATCH, INPUT, nextKey } from '../ledger/contestant';
import { claimantOf, executionOf } from '../ledger/execution';

/** So few that also in the small ledger each has more events than a page. */
const NAMESPACES = ['orders', 'invoices', 'refunds', 'leads', 'trips'];

/** Has as many events as the others, but little of what is open. */
export const QUIET = 'refunds';

/** How often some few events were tried. */
export const MANY_ATTEMPTS = 3;

/** What the destination calls some few events that are done. */
export const EXTERNAL_ID = 'in_1NG8Du2eZvKYlo2CUI79vXWy';

const FEW = 5;
const EXECUTION = executionOf('48213');
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Records events as done, which expire at `expiresAt`. */
export async function addDone(
	ledger: Ledger,
	count: number,
	expiresAt = Date.now() + RETENTION_MS,
): Promise<void> {
	const result = { status: 'created', order: INPUT.id };
	await inBatches(count, 2, async (size) => {
		const retentionMs = expiresAt - Date.now();
		if (retentionMs <= 0) throw new Error('The first records expire before the last are there');
		const records = Array.from({ length: size }, (_, i) => ({
			namespace: NAMESPACES[i % NAMESPACES.length],
			key: nextKey(),
			...(i % 10 === 0 && { fingerprint: nextKey(), externalId: nextKey() }),
			result,
			retentionMs,
		}));
		await ledger.importRecords(records);
	});
}

/** Work that waits: half of it failed, the rest in review, stuck, and under way. All but the last is due. */
export async function addOpen(ledger: Ledger, count: number): Promise<void> {
	const busy = NAMESPACES.filter((name) => name !== QUIET);
	const claimed = async (size: number, options: Partial<ClaimRequest> = {}) =>
		await claimAll(ledger, size, (i) => ({ namespace: busy[i % busy.length], ...options }));
	await failAll(ledger, await claimed(count / 2));
	await failAll(ledger, await claimed(count / 4), 'review');
	await claimed(count / 8, { leaseMs: 1 });
	await claimed(count / 8);
	await failAll(ledger, await claimAll(ledger, FEW, () => ({ namespace: QUIET })));
	await ledger.importRecords(
		Array.from({ length: FEW }, () => ({
			namespace: QUIET,
			key: nextKey(),
			externalId: EXTERNAL_ID,
		})),
	);
	// Known by their keys, so that they can be claimed again and again.
	const keys = Array.from({ length: FEW }, nextKey);
	for (let attempt = 1; attempt <= MANY_ATTEMPTS; attempt++) {
		await failAll(
			ledger,
			await claimAll(ledger, FEW, (i) => ({ namespace: busy[0], key: keys[i] })),
		);
	}
	// Until the leases of one millisecond are over.
	await sleep(10);
}

/** A pile of failed events in one namespace, after somebody's bad day. Calls `midway` when they are claimed and not yet failed. */
export async function addBacklog(
	ledger: Ledger,
	count: number,
	midway: () => Promise<void>,
): Promise<void> {
	const claims: HeldRequest[] = [];
	await inBatches(count, 2, async (size) => {
		claims.push(...(await claimAll(ledger, size, () => ({ namespace: NAMESPACES[0] }))));
	});
	await midway();
	await inBatches(claims.length, 2, (size) => failAll(ledger, claims.splice(0, size)));
}

async function claimAll(
	ledger: Ledger,
	count: number,
	request: (i: number) => Pick<ClaimRequest, 'namespace'> & Partial<ClaimRequest>,
): Promise<HeldRequest[]> {
	const requests = Array.from({ length: count }, (_, i) => ({
		key: nextKey(),
		claimant: claimantOf(EXECUTION, i),
		input: INPUT,
		...request(i),
	}));
	const results = await ledger.claimEvents(requests);
	return results.map((result, i) => {
		if (!result.claimed) throw new Error(`A claim that should be won is ${result.outcome}`);
		const { namespace, key } = requests[i];
		return { namespace, key, holder: EXECUTION, attempt: result.event.attempt };
	});
}

async function failAll(
	ledger: Ledger,
	held: HeldRequest[],
	as: 'failed' | 'review' = 'failed',
): Promise<void> {
	const results = await ledger.failEvents(
		held.map((claim) => ({ ...claim, as, reason: 'The shop was closed' })),
	);
	for (const result of results) if (!result.ok) throw result.error;
}

async function inBatches(
	total: number,
	workers: number,
	work: (size: number) => Promise<unknown>,
): Promise<void> {
	let left = total;
	const next = () => {
		const size = Math.min(BATCH, left);
		left -= size;
		return size;
	};
	await Promise.all(
		Array.from({ length: workers }, async () => {
			for (let size = next(); size > 0; size = next()) await work(size);
		}),
	);
}
