import { binaryArray, type ColumnType, type ColumnValue } from './binaryArray';
import type { Parameters } from './Statements';

/** The columns that a statement reads its items from, and where their values come from. */
export type Columns<Item> = Record<string, Column<Item>>;

interface Column<Item> {
	type: ColumnType;
	of(item: Item): ColumnValue;
}

/** The items of a call as a sub-select, for `:rows` in a statement, with the parameters in it. */
export interface Given {
	rows: string;
	/** Also `isOne` or `isMany`. */
	parameters: Parameters;
}

/** Batches of at least so many send a value that all items share only once. Smaller ones would make it a statement of its own for nothing. */
const SHARE_FROM = 100;

/** One item is sent as plain values, which Postgres handles faster than arrays with one element. */
export function given<Item>(columns: Columns<Item>, items: readonly Item[]): Given {
	return items.length === 1 ? one(columns, items[0]) : many(columns, items);
}

function one<Item>(columns: Columns<Item>, item: Item): Given {
	const parameters: Parameters = { isOne: true, isMany: undefined };
	const fields = ['0 AS index'];
	for (const [name, { type, of }] of Object.entries(columns)) {
		parameters[`given_${name}`] = of(item) ?? null;
		fields.push(`:given_${name}::${type} AS ${name}`);
	}
	return { rows: `NOT MATERIALIZED (SELECT ${fields.join(', ')})`, parameters };
}

function many<Item>(columns: Columns<Item>, items: readonly Item[]): Given {
	const parameters: Parameters = {
		isOne: undefined,
		isMany: true,
		given_size: items.length,
		given_index: binaryArray('bigint', [...items.keys()]),
	};
	const fields = ['unnest(:given_index::bigint[]) AS index'];
	for (const [name, { type, of }] of Object.entries(columns)) {
		const values = items.map(of);
		if (items.length >= SHARE_FROM && isShared(values)) {
			parameters[`given_${name}`] = values[0] ?? null;
			fields.push(`:given_${name}::${type} AS ${name}`);
		} else {
			parameters[`given_${name}`] = binaryArray(type, values);
			fields.push(`unnest(:given_${name}::${type}[]) AS ${name}`);
		}
	}
	// Of a LIMIT that it does not know, the planner expects a tenth. With one expected row it looks each item up by its key, whatever
	// the size of the table was when it made the plan.
	const rows = `(SELECT ${fields.join(', ')} LIMIT :given_size::integer)`;
	return { rows, parameters };
}

function isShared(values: readonly ColumnValue[]): boolean {
	const [first] = values;
	return values.every((value) => value === first);
}
