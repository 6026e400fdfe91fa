import { canonicalJson } from '../../keys/canonicalJson';
import { sha256 } from '../../keys/hash';
import type { ApprovalRecord } from '../../ledger/records';
import { plainJson } from './item/plainJson';

/**
 * Where the two nodes meet: Approval Gate keeps in a request which content is let through by an approval, and Guarded HTTP Request looks whether it
 * is the one that it is about to send. Equal means equal as JSON, whatever the order of the fields.
 */
export function approvedFingerprint(content: unknown): string {
	return sha256(canonicalJson(plainJson(content), { loneSurrogates: 'escape' }));
}

/** What a request lets through; undefined if the gate was not told. */
export function approvedBy({ content }: ApprovalRecord): string | undefined {
	const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
	const approves = isObject ? content.approves : undefined;
	return typeof approves === 'string' ? approves : undefined;
}
