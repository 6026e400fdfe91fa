import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Each is `statements/<name>.sql`, with its parameters and results in its header. */
const NAMES = [
	'addDone',
	'addNamespace',
	'addTally',
	'countDone',
	'countOpen',
	'dropInput',
	'findApprovals',
	'findEvent',
	'findHeld',
	'findMark',
	'findNamespace',
	'findSameContent',
	'findSteps',
	'findTallies',
	'findUnfinished',
	'findValues',
	'hasFresh',
	'insertClaim',
	'insertImport',
	'listByCreated',
	'listByDue',
	'listByExecution',
	'listByFingerprint',
	'listByKey',
	'now',
	'purgeEvents',
	'purgeMarks',
	'putApproval',
	'putMark',
	'putStep',
	'removeEvent',
	'saveClaim',
	'saveDuplicate',
	'saveEvent',
	'saveResult',
	'saveSettled',
	'settleFresh',
	'tallyFresh',
] as const;

export type Statements = Record<(typeof NAMES)[number], StatementSync>;

export function prepareStatements(database: DatabaseSync): Statements {
	return Object.fromEntries(
		NAMES.map((name) => [name, database.prepare(readSql('statements', `${name}.sql`))]),
	) as Statements;
}

export function readSql(...path: string[]): string {
	return readFileSync(join(__dirname, ...path), 'utf8');
}
