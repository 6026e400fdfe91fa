// `npm run test:e2e [-- --full] [jest arguments]`: the packed package in a real n8n.
import { ensureDependencies, run } from './dependencies.mjs';

const args = process.argv.slice(2);
if (args.includes('--full')) process.env.E2E_FULL = 'true';

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('npm', 'run', '--silent', 'typecheck')) ||
	(await run(
		'jest',
		'--config',
		'test/e2e/jest.config.js',
		...args.filter((arg) => arg !== '--full'),
	));
