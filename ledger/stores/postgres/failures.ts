import { LedgerError, LedgerMisconfiguredError, LedgerUnavailableError } from '../../errors';

/**
 * SQLSTATEs after which the same statement may well succeed: lost and refused connections, a server that starts or
 * stops, too many connections, a deadlock, a serialisation failure, a lock that was not free in time.
 */
const PASSING_STATES = /^(08...|57P0[1-3]|53300|40001|40P01|55P03|25006)$/;

/** Of the network, and of `pg` itself when a connection ends under a query. */
const PASSING_CODES = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EAI_AGAIN',
]);
const PASSING_MESSAGES =
	/Connection terminated|timeout exceeded when trying to connect|Query read timeout|server closed the connection|not queryable/i;

interface DriverError {
	code?: string;
	message?: string;
	errors?: unknown[];
}

/** Nothing was heard from the server in time, not even that it is gone. */
export function isSilence(error: unknown): boolean {
	const { code = '', message = '' } = error as DriverError;
	return code === 'ETIMEDOUT' || /^Query read timeout$|connection timeout$/.test(message);
}

export function isPassing(error: unknown): boolean {
	const { code = '', message = '', errors } = error as DriverError;
	// A host with several addresses fails with one error for each.
	if (errors !== undefined && errors.length > 0) return errors.some(isPassing);
	return PASSING_STATES.test(code) || PASSING_CODES.has(code) || PASSING_MESSAGES.test(message);
}

export function isUniqueViolation(error: unknown): boolean {
	const { code = '' } = ((error as LedgerError).cause ?? error) as DriverError;
	return code === '23505';
}

/** A pooler or an old server does not know the startup parameter `options`, or a setting in it. */
export function refusesOptions(error: unknown): boolean {
	const { code = '', message = '' } = error as DriverError;
	return (
		['0A000', '42704', '22023'].includes(code) ||
		(code === '08P01' && /startup parameter/i.test(message))
	);
}

/** The connection does not know a prepared statement that it should know, or knows one that it should not. */
export function isUnprepared(error: unknown): boolean {
	const { code = '' } = error as DriverError;
	return code === '26000' || code === '42P05';
}

/** What is wrong and what to do about it, for the SQLSTATEs and codes that a setting can repair. */
const MISCONFIGURED: Record<string, (detail: string) => [message: string, remedy: string]> = {
	'28P01': () => ['Postgres refused the user name or password', 'Correct them in the credential'],
	'28000': (detail) => [
		`Postgres does not let this user in from here: ${detail}`,
		"Correct the user in the credential, or the server's pg_hba.conf; it may insist on TLS",
	],
	'3D000': (detail) => [
		`The database does not exist: ${detail}`,
		'Create it, or correct its name in the credential',
	],
	'42501': (detail) => [
		`This user lacks a right in the database: ${detail}`,
		'Let an administrator create the schema and grant the rights; the README shows the statements',
	],
	'0A000': (detail) => [
		`The server cannot do what the ledger needs: ${detail}`,
		'Use Postgres 13 or newer',
	],
	ENOTFOUND: (detail) => [
		`There is no host of this name: ${detail}`,
		'Correct the host in the credential',
	],
	DEPTH_ZERO_SELF_SIGNED_CERT: tls,
	SELF_SIGNED_CERT_IN_CHAIN: tls,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: tls,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: tls,
	CERT_HAS_EXPIRED: tls,
	ERR_TLS_CERT_ALTNAME_INVALID: tls,
};

function tls(detail: string): [string, string] {
	return [
		`The server's certificate is not trusted: ${detail}`,
		"Put the certificate authority's certificate into the credential, and use the host name that the certificate is for",
	];
}

/** Turns whatever the driver throws into an error of the ledger, with the driver's own as its cause. */
export function ledgerError(error: unknown): LedgerError {
	if (error instanceof LedgerError) return error;
	const { code = '', message = String(error) } = firstOf(error);
	const known = MISCONFIGURED[code]?.(message);
	if (known) return new LedgerMisconfiguredError(...known, { cause: error });
	if (/does not support SSL/i.test(message)) {
		return new LedgerMisconfiguredError(
			'The server does not offer TLS',
			'Switch TLS off in the credential, or on in the server',
			{ cause: error },
		);
	}
	if (isPassing(error)) {
		return new LedgerUnavailableError(
			code === 'ECONNREFUSED'
				? `Nothing accepts connections there: ${message}`
				: `Postgres could not be reached or did not answer in time: ${message}`,
			'Check that the server runs and can be reached from n8n (host, port, firewall), then try again',
			{ cause: error },
		);
	}
	return new LedgerMisconfiguredError(
		`Postgres refused a statement of the ledger: ${message}`,
		'Check that the schema belongs to this ledger alone and is complete',
		{ cause: error },
	);
}

function firstOf(error: unknown): DriverError {
	const { errors } = error as DriverError;
	return (errors?.[0] ?? error) as DriverError;
}
