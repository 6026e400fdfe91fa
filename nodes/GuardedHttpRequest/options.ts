import { checkDuration, checkFinite } from '../../ledger/validate';
import type { KeyOptions } from '../shared/ledger/findClaim';

/** The node's options as n8n gives them; absent where they were not added. */
export interface Options extends KeyOptions {
	allowUnauthorizedCerts?: boolean;
	approval?: { values?: { gate?: unknown; content?: unknown } };
	backoffLimitSeconds?: number;
	backoffSeconds?: number;
	checkContent?: boolean;
	concurrency?: number;
	deadlineSeconds?: number;
	externalIdField?: string;
	keyVersion?: string;
	longestWaitSeconds?: number;
	lookUpDelaySeconds?: number;
	maxAttempts?: number;
	proxy?: string;
	quoteKey?: boolean;
	redirect?: { redirect?: { followRedirects?: boolean; maxRedirects?: number } };
	requestsPerSecond?: number;
	response?: { response?: { responseFormat?: ResponseFormat; outputPropertyName?: string } };
	timeout?: number;
}

export type ResponseFormat = 'autodetect' | 'file' | 'json' | 'text';

/** Seconds as people write them; refused if they are none. */
export function milliseconds(seconds: number, what: string): number {
	return checkDuration(Math.round(checkFinite(seconds, what) * 1000), what, 0);
}
