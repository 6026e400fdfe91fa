// `npm test [-- jest arguments]`: all there is to do in a fresh clone.
import { ensureDependencies, run } from './dependencies.mjs';

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('npm', 'run', '--silent', 'typecheck')) ||
	(await run('jest', ...process.argv.slice(2)));
