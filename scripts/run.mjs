// `node scripts/run.mjs <program> [arguments]`: installs what is missing, then runs on Node 24.
import { ensureDependencies, run } from './dependencies.mjs';

await ensureDependencies();
process.exitCode = await run(...process.argv.slice(2));
