import { LedgerError, LedgerMisconfiguredError, LedgerUnavailableError } from '../../errors';

/** SQLite's result codes without their details, see sqlite.org/rescode.html. */
const PERM = 3;
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
const NOTADB = 26;

/** Thrown by `node:sqlite` (with `errcode`) and by the file system (with `syscall` and `code`). */
interface DriverError {
	errcode?: number;
	code?: string;
	syscall?: string;
	message?: string;
}

/** Somebody else is writing just now. PROTOCOL is what SQLite calls a race for the lock that it gave up. */
export function isBusy(error: unknown): boolean {
	const result = resultOf(error as DriverError);
	return result === BUSY || result === PROTOCOL;
}

/** For what SQLite reports without throwing. */
export function busyError(): Error {
	return Object.assign(new Error('database is locked'), { errcode: BUSY });
}

/** Turns whatever SQLite or the file system throws into an error of the ledger, with the original as its cause. */
export function ledgerError(error: unknown, file: string): LedgerError {
	if (error instanceof LedgerError) return error;
	const { code, syscall, message = String(error) } = error as DriverError;
	const result = resultOf(error as DriverError);
	const cause = { cause: error };

	if (result === BUSY || result === PROTOCOL) {
		return new LedgerUnavailableError(
			`Another process keeps the ledger ${file} locked`,
			'Try again later. If it lasts, look for a program that has the file open: a backup, or a database browser',
			cause,
		);
	}
	if (result === FULL || code === 'ENOSPC' || code === 'EDQUOT') {
		return new LedgerUnavailableError(
			`The disk is full: the ledger ${file} could not be written`,
			'Free some space, then try again. Nothing of this call was written',
			cause,
		);
	}
	if (result === CORRUPT || result === NOTADB) {
		return new LedgerMisconfiguredError(
			`The ledger ${file} is damaged, or is not a ledger: ${message}`,
			'Restore it from a backup. Or move it away, together with its -wal and -shm files: n8n then starts with an empty ' +
				'ledger, which does not know what was done before',
			cause,
		);
	}
	if (isDenied(result, code)) {
		return new LedgerMisconfiguredError(
			`The ledger ${file} cannot be opened or written: ${message}`,
			'Let the user that n8n runs as write the file and its folder, or choose another file in the credential',
			cause,
		);
	}
	if (result === IOERR || syscall !== undefined) {
		return new LedgerUnavailableError(
			`The disk refused to read or write the ledger ${file}: ${message}`,
			'Check the disk. The file has to be on a disk of this machine, not on a network drive',
			cause,
		);
	}
	return new LedgerMisconfiguredError(
		`SQLite refused a statement of the ledger ${file}: ${message}`,
		'Check that the file belongs to this ledger alone',
		cause,
	);
}

const DENIED_RESULTS = new Set<number | undefined>([PERM, READONLY, CANTOPEN]);
const DENIED_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST']);

function isDenied(result?: number, code = ''): boolean {
	return DENIED_RESULTS.has(result) || DENIED_CODES.has(code);
}

/** The last byte of an extended result code says what kind of result it is. */
function resultOf({ errcode }: DriverError): number | undefined {
	return errcode === undefined ? undefined : errcode & 0xff;
}
