import { canonicalJson } from '../../keys/canonicalJson';
import { sha256 } from '../../keys/hash';
import { plainJson } from './plainJson';

/** What a decision is bound to: the content that was shown, whatever the order of its fields. */
export function approvalFingerprint(content: unknown): string {
	return sha256(canonicalJson(plainJson(content), { loneSurrogates: 'escape' }));
}
