import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** What a parameter says for an item. */
export type ItemParameter = (item: INodeExecutionData, itemIndex: number) => unknown;

/**
 * A parameter that may be another for every item. n8n evaluates expressions in a sandbox, which takes about a millisecond each: most of
 * the time that a large input takes. So what has no expression is asked for once, and a plain field of the item, as in
 * `{{ $json.body.id }}`, is read from it. All else is left to n8n.
 */
export function itemParameter(
	node: IExecuteFunctions,
	name: string,
	fallback?: object | string,
): ItemParameter {
	const written = node.getNodeParameter(name, 0, fallback, { rawExpressions: true });
	if (!hasExpression(written)) {
		const value = node.getNodeParameter(name, 0, fallback);
		return () => value;
	}
	const read = readerOf(written);
	return (item, itemIndex) => {
		const value = read(item.json);
		return value === UNCLEAR ? node.getNodeParameter(name, itemIndex, fallback) : value;
	};
}

const UNCLEAR = Symbol('only n8n knows');

type Reader = (json: unknown) => unknown;

function hasExpression(written: unknown): boolean {
	if (typeof written === 'object' && written !== null) {
		return Object.values(written).some(hasExpression);
	}
	return typeof written === 'string' && written.startsWith('=');
}

/** Reads what is written in a parameter, however deep; unclear as a whole if any part is. */
function readerOf(written: unknown): Reader {
	if (!hasExpression(written)) return () => written;
	if (typeof written === 'string') {
		const path = fieldPath(written);
		return path ? (json) => valueAt(json, path) : () => UNCLEAR;
	}
	const readers = Object.entries(written as object).map(
		([name, part]) => [name, readerOf(part)] as const,
	);
	return (json) => {
		const parts = readers.map(([name, read]) => [name, read(json)] as const);
		if (parts.some(([, part]) => part === UNCLEAR)) return UNCLEAR;
		return Array.isArray(written) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
	};
}

const FIELD = /^=\{\{\s*\$json((?:\.[a-z_]\w*|\["[^"\\]+"\]|\['[^'\\]+'\]|\[\d+\])+)\s*\}\}$/i;
const STEP = /\.(\w+)|\["([^"]+)"\]|\['([^']+)'\]|\[(\d+)\]/g;

/** The way to a field, if that is all that the expression is. */
function fieldPath(expression: string): string[] | undefined {
	const [, steps] = FIELD.exec(expression) ?? [];
	return steps === undefined
		? undefined
		: [...steps.matchAll(STEP)].map((match) => match.slice(1).find((name) => name !== undefined)!);
}

/** Text, a number or a truth. What a hole means, or an object, is for n8n to say. */
function valueAt(json: unknown, path: string[]): unknown {
	let value = json;
	for (const name of path) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return UNCLEAR;
		value = (value as Record<string, unknown>)[name];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : UNCLEAR;
}
