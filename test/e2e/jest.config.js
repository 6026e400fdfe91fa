/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.e2e.ts'],
	// Types are checked once by `tsc` before jest starts (scripts/e2e.mjs), not again per file.
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	globalSetup: '<rootDir>/test/e2e/globalSetup.ts',
	// Waiting for leases, restarts and n8n's own detection of dead workers takes its time.
	testTimeout: 15 * 60_000,
	// Each file has an n8n of its own, and two of them are too much for a small machine.
	maxWorkers: 1,
};
