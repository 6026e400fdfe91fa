import type { PoolConfig } from 'pg';

import type { PostgresSettings, TlsSettings } from '../../settings';

const CONNECT_TIMEOUT_MS = 5_000;

/** A connection that nobody needs is given back to the server. Not too soon: the server plans all statements anew for the next one. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

export interface ConnectionOptions {
	/** The startup parameter: `-c name=value …`, after the user's own. */
	options?: string;
	/** Whether statements are sent while earlier ones of the same connection are under way. */
	pipeline?: true;
}

export function poolConfig(
	settings: PostgresSettings,
	{ options, pipeline }: ConnectionOptions,
): PoolConfig {
	return {
		...place(settings, options),
		...(settings.tls !== undefined && { ssl: tlsConfig(settings.tls) }),
		max: settings.poolSize ?? 10,
		connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
		idleTimeoutMillis: IDLE_TIMEOUT_MS,
		// An idle pool must not keep a process alive that wants to end.
		allowExitOnIdle: true,
		keepAlive: true,
		pipeline,
		application_name: 'n8n-nodes-idempotency',
	};
}

function place(settings: PostgresSettings, options?: string): PoolConfig {
	if (settings.url !== undefined) {
		return {
			connectionString: options === undefined ? settings.url : withOptions(settings.url, options),
		};
	}
	const { host, port, database, user, password } = settings;
	return {
		...{ host, port, database, user, password },
		...(options !== undefined && { options: joined(process.env.PGOPTIONS, options) }),
	};
}

/** `pg` prefers what is in the URL, so the options have to be in there too. */
function withOptions(url: string, options: string): string {
	const target = new URL(url);
	const theirs = target.searchParams.get('options') ?? process.env.PGOPTIONS;
	target.searchParams.set('options', joined(theirs, options));
	return target.href;
}

/** Of two settings of the same name the later one counts. */
function joined(theirs: string | undefined, ours: string): string {
	return theirs ? `${theirs} ${ours}` : ours;
}

function tlsConfig(tls: TlsSettings): PoolConfig['ssl'] {
	return {
		ca: tls.ca,
		cert: tls.certificate,
		key: tls.privateKey,
		rejectUnauthorized: !tls.allowUnauthorized,
	};
}
