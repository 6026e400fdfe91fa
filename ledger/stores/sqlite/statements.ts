import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { STORED_FIELDS } from './rows';

/** Each is `statements/<name>.sql`. All parameters have names. */
const NAMES = [
	'addNamespace',
	'addRecords',
	'addTally',
	'countDuplicate',
	'countOpen',
	'countUnindexed',
	'findByAlias',
	'findEntries',
	'findEntry',
	'findHead',
	'findHistory',
	'findNamespace',
	'findPart',
	'findParts',
	'findRecord',
	'findSameContent',
	'findTallies',
	'findValues',
	'hasUnindexed',
	'indexUnindexed',
	'insertRecord',
	'listByCreated',
	'listByDue',
	'listByExecution',
	'listByExternalId',
	'listByFingerprint',
	'listByKey',
	'listByKeyPart',
	'listNamespaces',
	'listNeverDue',
	'now',
	'purgeEntries',
	'purgeMarks',
	'purgeRecords',
	'putEntry',
	'putLargeValue',
	'putPart',
	'raiseMark',
	'removeExpired',
	'removeLargeValues',
	'removeMark',
	'removeRecord',
	'rotateHistory',
	'saveBody',
	'saveIdentity',
	'saveIndexed',
	'saveState',
	'tallyUnindexed',
] as const;

export type StatementName = (typeof NAMES)[number];
export type Statements = Record<StatementName, StatementSync>;

export function prepareStatements(database: DatabaseSync): Statements {
	return Object.fromEntries(
		NAMES.map((name) => [name, database.prepare(readStatement(name))]),
	) as Statements;
}

/** `{fields}` stands for the columns of a {@link RecordRow}, `{filters}` for what all lists have in common. */
export function readStatement(name: StatementName): string {
	return readSql('statements', `${name}.sql`)
		.replace('{fields}', ['id', ...STORED_FIELDS].join(', '))
		.replace('{filters}', () => readSql('statements', 'listFilters.sql'));
}

export function readSql(...path: string[]): string {
	return readFileSync(join(__dirname, ...path), 'utf8');
}
