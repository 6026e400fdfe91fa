// `npm start [-- arguments of scripts/start.ts]`: all there is to do in a fresh clone.
import { ensureDependencies, run } from './dependencies.mjs';

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('tsx', 'scripts/start.ts', ...process.argv.slice(2)));
