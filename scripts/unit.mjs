// `npm run test:unit [-- jest arguments]`: the tests that need no server.
import { ensureDependencies, run } from './dependencies.mjs';

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('jest', '--config', 'test/unit/jest.config.js', ...process.argv.slice(2)));
