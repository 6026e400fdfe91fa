/** What a ledger needs to know to open its store. Comes from the credential, already resolved. */
export type LedgerSettings = EmbeddedSettings | PostgresSettings | RedisSettings;

interface CommonSettings {
	/** How long a call keeps trying while the store is away. Default 15 seconds. */
	patienceMs?: number;
}

export interface EmbeddedSettings extends CommonSettings {
	store: 'embedded';
	/** Absolute path of the database file; its folder is made if it is missing. */
	file: string;
}

export interface PostgresSettings extends CommonSettings {
	store: 'postgres';
	/** Either a connection URL, or the parts. */
	url?: string;
	host?: string;
	port?: number;
	database?: string;
	user?: string;
	password?: string;
	tls?: TlsSettings;
	/** Default `idempotency`. */
	schema?: string;
	/** Connections of this process. Default 10. */
	poolSize?: number;
}

export interface RedisSettings extends CommonSettings {
	store: 'redis';
	topology: 'single' | 'sentinel' | 'cluster';
	/** The server, the sentinels, or some nodes of the cluster. */
	nodes: Array<{ host: string; port: number }>;
	/** With Sentinel: the name of the master group. */
	masterName?: string;
	username?: string;
	password?: string;
	sentinelUsername?: string;
	sentinelPassword?: string;
	/** Not in a cluster, which has one database. */
	database?: number;
	tls?: TlsSettings;
	/** What all keys start with. Default `idempotency`. */
	prefix?: string;
}

/** PEM texts. An empty object means TLS with the system's certificate authorities. */
export interface TlsSettings {
	ca?: string;
	certificate?: string;
	privateKey?: string;
	/** Encrypts, but does not check whom it talks to. */
	allowUnauthorized?: boolean;
}
