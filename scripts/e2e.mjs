// `npm run test:e2e [-- --full] [--screenshots] [jest arguments]`: the packed package in a real n8n.
import { ensureDependencies, run } from './dependencies.mjs';

const variables = { '--full': 'E2E_FULL', '--screenshots': 'E2E_SCREENSHOTS' };
const args = process.argv.slice(2);
for (const [flag, variable] of Object.entries(variables)) {
	if (args.includes(flag)) process.env[variable] = 'true';
}

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('npm', 'run', '--silent', 'typecheck')) ||
	(await run(
		'jest',
		'--config',
		'test/e2e/jest.config.js',
		...args.filter((arg) => !(arg in variables)),
	));
