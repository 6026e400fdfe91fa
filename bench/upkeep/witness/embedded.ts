import { DatabaseSync } from 'node:sqlite';

import type { EmbeddedSettings } from '../../../ledger/settings';
import { readStatement, type StatementName } from '../../../ledger/stores/sqlite/statements';
import type { Witness } from './witness';

/** Which statement finds the events for an operation. */
const STATEMENT: Record<string, StatementName> = {
	get: 'findRecord',
	list: 'listByCreated',
	'list, a page deep down': 'listByCreated',
	'list of a namespace, deep down': 'listByCreated',
	'list of what failed': 'listByDue',
	'list of the few that failed in a namespace': 'listByDue',
	'list by start of key': 'listByKey',
	'list of what is stuck': 'listByDue',
	'list by external id': 'listByExternalId',
	'search by a part of the key': 'listByKeyPart',
	statistics: 'countOpen',
	'statistics of a namespace': 'countOpen',
	take: 'listByDue',
	'take the few of a namespace': 'listByDue',
	'take the few that were tried often': 'listByDue',
};

/** SQLite does not say what it has read, but how it is going to. */
export const embeddedWitness: Witness = async (settings, { name }) => {
	const database = new DatabaseSync((settings as EmbeddedSettings).file, { readOnly: true });
	try {
		const sql = readStatement(STATEMENT[name]);
		const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Array<{ detail: string }>;
		const ofEvents = plan.map(({ detail }) => detail).filter((line) => /^\w+ record\b/.test(line));
		return {
			fullScans: ofEvents.filter((line) => !line.includes(' USING ')).length,
			read: ofEvents.map((line) => line.replace(/^.* USING (COVERING )?INDEX /, '')).join('; '),
		};
	} finally {
		database.close();
	}
};
