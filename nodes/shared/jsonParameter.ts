import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { JsonValue } from '../../ledger/records';
import { plainJson } from './item/plainJson';
import { storableJson } from './item/storableJson';

/** The value of a JSON field: an expression gives it as it is, a typed one as text. */
export function jsonParameter(
	node: IExecuteFunctions,
	value: unknown,
	name: string,
	itemIndex: number,
): JsonValue | undefined {
	if (value === null || value === undefined || value === '') return undefined;
	const given = plainJson(typeof value === 'string' ? parse(node, value, name, itemIndex) : value);
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
	// Often it is the whole item, which may still be the request that a webhook got.
	return storableJson(given as IDataObject);
}

function parse(node: IExecuteFunctions, value: string, name: string, itemIndex: number): unknown {
	try {
		return JSON.parse(value);
	} catch {
		throw new NodeOperationError(node.getNode(), `'${name}' is not valid JSON`, {
			itemIndex,
			description:
				'Check the quotes and commas. Text needs quotes around it; an expression may also give an object',
		});
	}
}
