import type { Database, SendOptions } from './Database';
import { type Columns, given } from './given';
import type { Parameters, Statements } from './Statements';

/** Runs the statements of one ledger by the names of their files. */
export class Runner {
	constructor(
		private readonly database: Database,
		private readonly statements: Statements,
	) {}

	async run<Row extends object>(
		file: string,
		parameters: Parameters = {},
		options?: SendOptions,
	): Promise<Row[]> {
		return await this.database.send<Row>(this.statements.query(file, parameters), options);
	}

	/** With the items of a call as `:rows`. */
	async runFor<Item, Row extends object>(
		file: string,
		columns: Columns<Item>,
		items: readonly Item[],
		parameters: Parameters = {},
	): Promise<Row[]> {
		const { rows, parameters: columnValues } = given(columns, items);
		const query = this.statements.query(file, { ...parameters, ...columnValues }, rows);
		return await this.database.send<Row>(query);
	}
}
