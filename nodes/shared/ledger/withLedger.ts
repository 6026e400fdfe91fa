import type { IExecuteFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Ledger } from '../../../ledger/Ledger';
import { withSharedLedger } from '../../../ledger/share';
import { type LedgerCredential, ledgerSettings } from '../ledgerSettings';

export const LEDGER_CREDENTIAL = 'idempotencyLedgerApi';

/** Runs `action` with the ledger of the node's credential, which all nodes of this process share. */
export async function withLedger<T>(
	node: IExecuteFunctions | IPollFunctions | IWebhookFunctions,
	action: (ledger: Ledger, credential: LedgerCredential) => Promise<T>,
): Promise<T> {
	const credential = await node.getCredentials<LedgerCredential>(LEDGER_CREDENTIAL);
	return await withSharedLedger(ledgerSettings(credential), (ledger) => action(ledger, credential));
}
