import { createHmac } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import type { LedgerCredential } from '../shared/ledgerSettings';

/** The name of the ledger's share of the key. */
const SECRET = 'approval links';

/** A ledger's secrets never change, so each is asked for once. */
const shares = new WeakMap<Ledger, Promise<string>>();

/**
 * Signs the links: the same in all processes that use the ledger, and still the same when an event is run again, so that links stay good. Made of
 * a secret of the ledger and the password of the credential: who gets to read the ledger alone, or a backup of it, cannot make links.
 */
export async function signingKey(ledger: Ledger, credential: LedgerCredential): Promise<Buffer> {
	let share = shares.get(ledger);
	if (!share) {
		share = ledger.secret(SECRET);
		shares.set(ledger, share);
		share.catch(() => shares.delete(ledger));
	}
	const { password, url } = credential;
	return createHmac('sha256', await share)
		.update(password ?? url ?? '')
		.digest();
}
