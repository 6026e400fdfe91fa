// `npm run bench [-- --quick] [parts]`: builds what is shipped, and measures that.
import { ensureDependencies, run } from './dependencies.mjs';

await ensureDependencies();
process.exitCode =
	(await run('npm', 'run', '--silent', 'build')) ||
	(await run('tsx', 'bench/bench.ts', ...process.argv.slice(2)));
