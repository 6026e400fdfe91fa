import type { JsonValue } from '../../ledger/records';

/**
 * A copy as n8n itself would store it: dates become text, and what JSON has no word for is left out. Claims that travel in the data
 * are left out too, however deep: their tokens are nobody else's business.
 */
export function plainJson(value: unknown): JsonValue {
	return JSON.parse(JSON.stringify(value, withoutClaims)) as JsonValue;
}

function withoutClaims(name: string, value: unknown): unknown {
	return name === 'idempotency' && isClaim(value) ? undefined : value;
}

function isClaim(value: unknown): boolean {
	return typeof value === 'object' && value !== null && ('claimed' in value || 'token' in value);
}
