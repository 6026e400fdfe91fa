import type { IDataObject } from 'n8n-workflow';

import type { JsonValue } from '../../ledger/records';
import { plainJson } from './plainJson';

/** Headers that prove who sent a request, under whatever name. A ledger is no place for them. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i;

/** What is kept of an item so that its event can be run again: all of it but secrets, and what this package added. */
export function storableInput(json: IDataObject): JsonValue {
	const input = { ...json };
	delete input.idempotency;
	if (typeof input.headers === 'object' && input.headers !== null) {
		input.headers = storableHeaders(input.headers);
	}
	return plainJson(input);
}

export function storableHeaders(headers: object): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !SECRET_HEADER.test(name)),
	) as IDataObject;
}
