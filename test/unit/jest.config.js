/** Tests that need no server, for while one works: `npm run test:unit`. `npm test` runs them too. */
const { globalSetup, globalTeardown, ...common } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...common,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
};
