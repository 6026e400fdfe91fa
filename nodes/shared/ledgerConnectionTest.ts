import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { LedgerError } from '../../ledger/errors';
import type { CheckReport } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { type LedgerCredential, ledgerSettings } from './ledgerSettings';

/** Somebody waits in front of the screen: a server that is away is reported soon. */
const PATIENCE_MS = 3_000;

/**
 * The credential's Test button: opens a ledger of its own, as a node would, creating what is missing, and says what it found or
 * what is wrong.
 */
export async function ledgerConnectionTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const settings = ledgerSettings(credential.data as unknown as LedgerCredential);
		const ledger = await openLedger({ ...settings, patienceMs: PATIENCE_MS });
		try {
			return testResult(await ledger.check());
		} finally {
			await ledger.close();
		}
	} catch (error) {
		const { message } = error as Error;
		return {
			status: 'Error',
			message: error instanceof LedgerError ? sentence(message, error.remedy) : message,
		};
	}
}

function testResult(report: CheckReport): INodeCredentialTestResult {
	const errors = report.findings.filter(({ severity }) => severity === 'error');
	if (errors.length > 0) {
		return {
			status: 'Error',
			message: errors.map(({ message, remedy }) => sentence(message, remedy)).join(' '),
		};
	}
	const found = `Connected to ${report.server}: schema version ${report.schemaVersion}, ${report.entries} events`;
	const warnings = report.findings.map(({ message, remedy }) => sentence(message, remedy));
	return { status: 'OK', message: [`${found}.`, ...warnings].join(' ') };
}

function sentence(message: string, remedy: string): string {
	return `${message}. ${remedy}.`;
}
