import type { IDataObject } from 'n8n-workflow';

import type { JsonValue } from '../../../ledger/records';

/** The field in which items carry theirs. */
const CLAIM = 'idempotency';

/** Deeper data is left to JSON, and so is what contains itself. */
const MAX_DEPTH = 100;

/**
 * Data as n8n itself would store it: dates become text, and what JSON has no word for is left out. Claims that travel in it are
 * left out too, however deep: they belong to the workflow and not to the event. A copy where that changes anything.
 */
export function plainJson(value: unknown): JsonValue {
	// Nearly all data is plain, and to find that out takes a fraction of what a copy takes.
	if (isPlain(value, 0)) return value;
	return JSON.parse(JSON.stringify(value, withoutClaims)) as JsonValue;
}

function isPlain(value: unknown, depth: number): value is JsonValue {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || depth === MAX_DEPTH) return false;
	if (Array.isArray(value)) return isPlainList(value, depth + 1);
	if (Object.getPrototypeOf(value) !== Object.prototype) return false;
	for (const name in value) {
		if (name === CLAIM || !isPlain((value as IDataObject)[name], depth + 1)) return false;
	}
	return true;
}

function isPlainList(list: unknown[], depth: number): boolean {
	// By index, because `every` skips the holes of a sparse list.
	for (let i = 0; i < list.length; i++) if (!isPlain(list[i], depth)) return false;
	return true;
}

function withoutClaims(name: string, value: unknown): unknown {
	return name === CLAIM && isClaim(value) ? undefined : value;
}

function isClaim(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'claimed' in value;
}
