type Value = string | number;

const withColon: Record<string, string> = {};

/**
 * Parameters as SQLite takes them fastest: under their names in the statement, and without those that are missing, which are NULL there.
 * For the statements that batches run.
 */
export function given(params: Record<string, Value | null | undefined>): Record<string, Value> {
	const values: Record<string, Value> = {};
	for (const name in params) {
		const value = params[name];
		if (value !== undefined && value !== null) values[(withColon[name] ??= `:${name}`)] = value;
	}
	return values;
}
