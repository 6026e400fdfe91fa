import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { LedgerMisconfiguredError } from '../../ledger/errors';
import type { LedgerSettings, RedisSettings, TlsSettings } from '../../ledger/settings';

/** The fields of the credential. n8n leaves out those that the chosen store and topology hide. */
export interface LedgerCredential {
	store: 'embedded' | 'postgres' | 'redis';
	file?: string;
	connectWith?: 'url' | 'fields';
	url?: string;
	host?: string;
	port?: number;
	database?: string;
	user?: string;
	password?: string;
	schema?: string;
	poolSize?: number;
	topology?: RedisSettings['topology'];
	nodes?: string;
	masterName?: string;
	sentinelPassword?: string;
	databaseNumber?: number;
	prefix?: string;
	tls?: 'off' | 'on' | 'ca' | 'client';
	ca?: string;
	certificate?: string;
	privateKey?: string;
	allowUnauthorized?: boolean;
}

/** Turns the credential into what the ledger understands, or says which field is wrong. */
export function ledgerSettings(
	credential: LedgerCredential,
	environment: NodeJS.ProcessEnv = process.env,
): LedgerSettings {
	const tls = tlsSettings(credential);
	switch (credential.store) {
		case 'embedded':
			return { store: 'embedded', file: embeddedFile(credential.file, environment) };
		case 'postgres':
			return {
				store: 'postgres',
				...(credential.connectWith === 'url'
					? { url: required(credential.url, 'Connection URL') }
					: {
							host: required(credential.host, 'Host'),
							port: credential.port,
							database: required(credential.database, 'Database'),
							user: required(credential.user, 'User'),
							password: credential.password,
						}),
				tls,
				schema: given(credential.schema),
				poolSize: credential.poolSize,
			};
		case 'redis':
			return {
				store: 'redis',
				topology: credential.topology ?? 'single',
				nodes: redisNodes(credential),
				masterName: given(credential.masterName),
				username: given(credential.user),
				password: given(credential.password),
				sentinelPassword: given(credential.sentinelPassword),
				database: credential.databaseNumber,
				tls,
				prefix: given(credential.prefix),
			};
	}
}

/**
 * Workers on other machines would not see the file and claim everything once more, so queue mode is refused: this is the one
 * mistake that no later check could notice.
 */
function embeddedFile(file: string | undefined, environment: NodeJS.ProcessEnv): string {
	if (environment.EXECUTIONS_MODE === 'queue') {
		throw new LedgerMisconfiguredError(
			'The embedded ledger does not work in queue mode: each worker would have a ledger of its own',
			"Choose Postgres or Redis in the 'Store' field of the credential",
		);
	}
	const chosen = given(file);
	if (chosen === undefined) {
		return join(environment.N8N_USER_FOLDER ?? homedir(), '.n8n', 'idempotency', 'ledger.sqlite');
	}
	if (!isAbsolute(chosen)) {
		throw new LedgerMisconfiguredError(
			`The file '${chosen}' is not a full path`,
			"Start the 'File' field with a slash, or leave it empty for the default",
		);
	}
	return chosen;
}

function redisNodes({ topology, host, port, nodes }: LedgerCredential): RedisSettings['nodes'] {
	if (topology === undefined || topology === 'single') {
		return [{ host: required(host, 'Host'), port: port ?? 6379 }];
	}
	const addresses = (nodes ?? '').split(/[\s,]+/).filter((address) => address !== '');
	required(addresses[0], 'Nodes');
	return addresses.map((address) => {
		const [, name, number] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(address) ?? [];
		if (name === undefined) {
			throw new LedgerMisconfiguredError(
				`'${address}' is not an address`,
				"Write the 'Nodes' field as host:port, host:port",
			);
		}
		return { host: name, port: Number(number) };
	});
}

function tlsSettings(credential: LedgerCredential): TlsSettings | undefined {
	if (credential.tls === undefined || credential.tls === 'off') return undefined;
	const client = credential.tls === 'client';
	return {
		ca: given(credential.ca),
		certificate: client ? required(credential.certificate, 'Client Certificate') : undefined,
		privateKey: client ? required(credential.privateKey, 'Client Private Key') : undefined,
		allowUnauthorized: credential.allowUnauthorized,
	};
}

function given(text: string | undefined): string | undefined {
	const trimmed = text?.trim();
	return trimmed === '' ? undefined : trimmed;
}

function required(text: string | undefined, field: string): string {
	const value = given(text);
	if (value === undefined) {
		throw new LedgerMisconfiguredError(
			`The '${field}' field of the ledger credential is empty`,
			'Fill it in',
		);
	}
	return value;
}
