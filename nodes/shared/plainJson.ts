import type { JsonValue } from '../../ledger/records';

/** The field in which items carry theirs. */
const CLAIM = 'idempotency';

/**
 * A copy as n8n itself would store it: dates become text, and what JSON has no word for is left out. Claims that travel in the data
 * are left out too, however deep: their tokens are nobody else's business.
 */
export function plainJson(value: unknown): JsonValue {
	const json = JSON.stringify(value);
	// Looking at every field takes several times as long as all the rest, and nearly no value has such a one.
	const plain = json.includes(`"${CLAIM}"`) ? JSON.stringify(value, withoutClaims) : json;
	return JSON.parse(plain) as JsonValue;
}

function withoutClaims(name: string, value: unknown): unknown {
	return name === CLAIM && isClaim(value) ? undefined : value;
}

function isClaim(value: unknown): boolean {
	return typeof value === 'object' && value !== null && ('claimed' in value || 'token' in value);
}
