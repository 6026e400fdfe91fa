import { LedgerError, LedgerMisconfiguredError, LedgerUnavailableError } from '../../errors';

/**
 * Answers of a server that will do better in a moment. Redis 6 wraps the error of a command in the error of its
 * script, so these are looked for in the whole message.
 */
const PASSING = /\b(LOADING|CLUSTERDOWN|TRYAGAIN|READONLY|MASTERDOWN|BUSY|NOREPLICAS)\b/;

/** Connections that fail like this fail in the same way next time. */
const TLS_CODES =
	/^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY)_)/;

const REFUSALS: Array<{ pattern: RegExp; message: string; remedy: string }> = [
	{
		pattern: /\b(WRONGPASS|NOAUTH)\b|invalid (username-)?password|AUTH failed/i,
		message: 'Redis refused the user name or the password',
		remedy: 'Check the user name and the password in the credential',
	},
	{
		pattern: /\bNOPERM\b/,
		message: 'The Redis user has no right to do what the ledger needs',
		remedy:
			'Give the user the rights to read and write all keys that start with the prefix, to run scripts, and to use TIME and INFO',
	},
	{
		pattern: /cluster support disabled/i,
		message: 'This Redis is not a cluster',
		remedy: "Choose the topology 'single' in the credential",
	},
	{
		pattern: /^MOVED\b|CROSSSLOT|not allowed in cluster mode/,
		message: 'This Redis is a cluster',
		remedy: "Choose the topology 'cluster' in the credential",
	},
	{
		pattern: /DB index/i,
		message: 'Redis has no database with this number',
		remedy: 'Use a lower number (0 always exists), or raise the setting `databases` of the server',
	},
	{
		pattern: /unknown command/i,
		message: 'Redis does not know or does not allow a command that the ledger needs',
		remedy: 'Use Redis 6.2 or newer, or Valkey, and do not rename or disable its commands',
	},
	{
		pattern: /\bOOM\b/,
		message: 'Redis has no memory left and takes no more writes',
		remedy: 'Raise the setting `maxmemory` of the server, or purge the ledger',
	},
	{
		pattern: /\bMISCONF\b/,
		message: 'Redis cannot write to its disk and takes no more writes',
		remedy: 'Make room on the disk of the server and look into its log',
	},
];

/** Whether the same call may well succeed in a moment. What got no answer at all may. */
export function isPassing(error: unknown): boolean {
	return isAnswer(error) ? PASSING.test(error.message) : !isRefusal(error);
}

/** Whether waiting does not help: somebody has to change a setting. */
export function isRefusal(error: unknown): error is Error {
	if (isAnswer(error)) return !PASSING.test(error.message);
	const code: unknown = (error as { code?: unknown } | undefined)?.code;
	return typeof code === 'string' && TLS_CODES.test(code);
}

/** What a caller gets to see instead of an error of the driver. */
export function explain(error: unknown, place: string): LedgerError {
	if (error instanceof LedgerError) return error;
	if (!isRefusal(error)) {
		return new LedgerUnavailableError(
			`The ledger's Redis (${place}) cannot be reached or does not answer: ${messageOf(error)}`,
			'Check that it runs and that host and port are right; then try again',
			{ cause: error },
		);
	}
	if (!isAnswer(error)) {
		return new LedgerMisconfiguredError(
			`No secure connection to the ledger's Redis (${place}): ${messageOf(error)}`,
			'Check the TLS settings: the certificate authority, the certificate, and the host name in it',
			{ cause: error },
		);
	}
	const known = REFUSALS.find(({ pattern }) => pattern.test(error.message));
	return new LedgerMisconfiguredError(
		`${known?.message ?? 'Redis refused what the ledger asked for'} (${place}): ${messageOf(error)}`,
		known?.remedy ??
			'Check that this is Redis 6.2 or newer, or Valkey, and that nothing else uses the prefix',
		{ cause: error },
	);
}

/** By name, because every copy of the driver has a class of its own. */
function isAnswer(error: unknown): error is Error {
	return error instanceof Error && error.name === 'ReplyError';
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
