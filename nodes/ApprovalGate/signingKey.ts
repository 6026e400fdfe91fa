import { createHmac, randomBytes } from 'node:crypto';

import { LedgerUnavailableError } from '../../ledger/errors';
import type { Ledger } from '../../ledger/Ledger';
import type { EventAddress } from '../../ledger/records';
import type { LedgerCredential } from '../shared/ledgerSettings';

/** Where the ledger keeps its share of the key. No workflow's ID is like this. */
const ADDRESS: EventAddress = { namespace: 'n8n-nodes-idempotency', key: 'approval links' };
const TEN_YEARS = 10 * 365 * 24 * 60 * 60 * 1000;

const known = new WeakMap<Ledger, Promise<string>>();

/**
 * Signs the links: the same in all processes that use the ledger, and still the same when an event is run again, so that links stay good. Made of
 * a random part in the ledger and the password of the credential: who gets to read the ledger alone, or a backup of it, cannot make links.
 */
export async function signingKey(ledger: Ledger, credential: LedgerCredential): Promise<Buffer> {
	let share = known.get(ledger);
	if (!share) {
		share = ledgerShare(ledger);
		known.set(ledger, share);
		share.catch(() => known.delete(ledger));
	}
	const { password, url } = credential;
	return createHmac('sha256', await share)
		.update(password ?? url ?? '')
		.digest();
}

/** The first who comes makes it. */
async function ledgerShare(ledger: Ledger): Promise<string> {
	const found = await readShare(ledger);
	if (found !== undefined) return found;
	const result = randomBytes(32).toString('base64url');
	await ledger.importRecords([{ ...ADDRESS, result, retentionMs: TEN_YEARS }]);
	const kept = await readShare(ledger);
	if (kept !== undefined) return kept;
	throw new LedgerUnavailableError(
		'The ledger did not keep the key that signs links',
		'Test the ledger credential: it says which setting loses records',
	);
}

async function readShare(ledger: Ledger): Promise<string | undefined> {
	const [found] = await ledger.get([ADDRESS]);
	return typeof found?.event.result === 'string' ? found.event.result : undefined;
}
