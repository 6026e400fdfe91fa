/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Types are checked once by `tsc` before jest starts (scripts/test.mjs), not again per file.
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	globalSetup: '<rootDir>/test/servers/globalSetup.ts',
	globalTeardown: '<rootDir>/test/servers/globalTeardown.ts',
	testTimeout: 60_000,
	maxWorkers: 2,
};
