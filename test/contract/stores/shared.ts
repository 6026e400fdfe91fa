import { randomBytes } from 'node:crypto';

/** Where a server of the tests is. A missing one is an error: a test that is skipped proves nothing. */
export function server(variable: string): string {
	const value = process.env[variable];
	if (!value) throw new Error(`${variable} is not set: run the tests with npm test`);
	return value;
}

/** A name that no other run uses at the same time. */
export function unique(): string {
	return `test_${randomBytes(8).toString('hex')}`;
}
