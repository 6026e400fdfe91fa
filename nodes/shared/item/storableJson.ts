import type { IDataObject } from 'n8n-workflow';

import type { JsonValue } from '../../../ledger/records';
import { plainJson } from './plainJson';
import { isSecretHeader } from './sensitiveFields';

/** What the ledger may keep of an item: all of it but secrets, and what this package added. */
export function storableJson(json: IDataObject): JsonValue {
	const { rest } = takenApart(json);
	if (typeof rest.headers === 'object' && rest.headers !== null) {
		rest.headers = storableHeaders(rest.headers);
	}
	return plainJson(rest);
}

/** If it were deleted from a copy, V8 would keep that copy as a table, in which all that follows takes longer. */
function takenApart({ idempotency, ...rest }: IDataObject) {
	return { idempotency, rest };
}

export function storableHeaders(headers: object): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !isSecretHeader(name)),
	) as IDataObject;
}
