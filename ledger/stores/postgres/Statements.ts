import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RECORD_COLUMNS } from './records';

/** Undefined is no value: lines of the statement may depend on that. */
export type Parameters = Record<string, string | number | boolean | Buffer | null | undefined>;

/** What a statement is sent as. */
export interface Query {
	/** The same name for the same text only, whoever shares the connection. */
	name: string;
	text: string;
	values: Array<Parameters[string]>;
}

interface Template {
	name: string;
	text: string;
	/** Names of the placeholders: the first is `$1`. */
	placeholders: string[];
}

/** The server's time in whole milliseconds, unless a call goes on with the time that it began with. */
const NOW = "floor(date_part('epoch', statement_timestamp()) * 1000)::bigint";
const TODAY = "(statement_timestamp() AT TIME ZONE 'UTC')::date";

/** The statements in `statements/`, for one schema. Each text is put together once. */
export class Statements {
	private readonly templates = new Map<string, Template>();

	constructor(private readonly quotedSchema: string) {}

	/** @param rows what `:rows` stands for */
	query(file: string, parameters: Parameters, rows = ''): Query {
		// The text follows from these and from which parameters have a value.
		let id = `${file} ${rows}`;
		for (const name in parameters) if (parameters[name] === undefined) id += ` ${name}`;
		let template = this.templates.get(id);
		if (!template) {
			template = this.template(file, rows, parameters);
			this.templates.set(id, template);
		}
		const values = template.placeholders.map((name) => parameters[name]);
		return { name: template.name, text: template.text, values };
	}

	private template(file: string, rows: string, parameters: Parameters): Template {
		const placeholders: string[] = [];
		const macros: Record<Macro, string> = {
			schema: this.quotedSchema,
			record: RECORD_COLUMNS,
			rows,
			now: parameters.at === undefined ? NOW : ':at::bigint',
			today: TODAY,
		};
		const text = linesOf(file, parameters)
			.map((line) => line.replace(/--.*/, '').trim())
			.filter((line) => line !== '')
			.join(' ')
			.replace(MACRO, (_, name: Macro) => macros[name])
			.replace(PLACEHOLDER, (_, name: string) => {
				if (!placeholders.includes(name)) placeholders.push(name);
				return `$${placeholders.indexOf(name) + 1}`;
			});
		const unknown = placeholders.filter((name) => parameters[name] === undefined);
		if (unknown.length > 0) throw new Error(`${file} lacks a value for ${unknown.join(', ')}`);
		const name = `ledger_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
		return { name, text, placeholders };
	}
}

/** Names that stand for a text of the statement and not for a value. */
type Macro = 'schema' | 'record' | 'rows' | 'now' | 'today';
const MACRO = /(?<!:):(schema|record|rows|now|today)\b/g;

/** `:name`, but not a cast `::type`. */
const PLACEHOLDER = /(?<!:):([a-z]\w*)/gi;

/**
 * The lines of a file that are for these parameters, with the files that it includes:
 *
 * - `-- if given` at the end of a line: only with values for all placeholders in the line
 * - `-- if name` … `-- end if`: only with a value for this parameter
 * - `-- include file.sql`
 */
function linesOf(file: string, parameters: Parameters): string[] {
	const lines: string[] = [];
	const conditions: string[] = [];
	for (const line of readFileSync(join(__dirname, 'statements', file), 'utf8').split('\n')) {
		const [, command, name] = /^\s*-- (if|end|include) (\S+)$/.exec(line) ?? [];
		if (command === 'if') conditions.push(name);
		else if (command === 'end') conditions.pop();
		else if (conditions.some((condition) => parameters[condition] === undefined)) continue;
		else if (command === 'include') lines.push(...linesOf(name, parameters));
		else if (!line.endsWith('-- if given') || isGiven(line, parameters)) lines.push(line);
	}
	return lines;
}

function isGiven(line: string, parameters: Parameters): boolean {
	const values = line.replace(MACRO, '').matchAll(PLACEHOLDER);
	return [...values].every(([, name]) => parameters[name] !== undefined);
}
