import type { CheckReport, Finding } from '../../Ledger';
import type { Runner } from './Runner';
import { SCHEMA_VERSION } from './schema';
import { stats } from './stats';

interface Server {
	version: string;
	fsync: string;
	synchronousCommit: string;
	isReadOnly: boolean;
}

export async function check(runner: Runner): Promise<CheckReport> {
	const [server] = await runner.run<Server>('check.sql');
	const { events } = await stats(runner, { days: 1 });
	return {
		store: 'postgres',
		server: `PostgreSQL ${server.version}`,
		schemaVersion: SCHEMA_VERSION,
		entries: Object.values(events).reduce((sum, count) => sum + count, 0),
		findings: findings(server),
	};
}

function findings(server: Server): Finding[] {
	const found: Finding[] = [];
	if (server.fsync === 'off') {
		found.push({
			severity: 'error',
			message: 'Postgres runs with fsync = off: a power cut can destroy the ledger',
			remedy: 'Set fsync = on',
		});
	}
	if (server.synchronousCommit === 'off') {
		found.push({
			severity: 'error',
			message:
				'Postgres runs with synchronous_commit = off: a crash forgets the newest claims, and their work is doubled',
			remedy: 'Set synchronous_commit = on for the database or the role of the ledger',
		});
	}
	if (server.isReadOnly) {
		found.push({
			severity: 'error',
			message: 'This Postgres takes no writes: it is a standby, or set to be read-only',
			remedy: 'Connect to the primary server',
		});
	}
	return found;
}
