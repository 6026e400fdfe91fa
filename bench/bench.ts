/**
 * `npm run bench [-- --quick] [parts]`: what users would pick instead of this package, and what is physically possible, measured
 * in one run. A full run of all parts is written to `bench/RESULTS.md`; anything less only says what it found on screen.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PARTS } from './parts';
import { Report } from './Report';

async function main(args: string[]): Promise<void> {
	const quick = args.includes('--quick');
	const chosen = args.filter((arg) => !arg.startsWith('-'));
	const unknown = chosen.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown !== undefined) {
		throw new Error(`No part '${unknown}'; there are ${PARTS.map(({ name }) => name).join(', ')}`);
	}
	const report = new Report();
	for (const part of PARTS) {
		if (chosen.length === 0 || chosen.includes(part.name)) await part.run(report, { quick });
	}
	const complete = !quick && chosen.length === 0;
	if (complete) {
		writeFileSync(join(__dirname, 'RESULTS.md'), report.markdown('npm run bench'));
		for (const [file, svg] of report.pictures) writeFileSync(join(__dirname, file), svg);
	}
	report.progress(complete ? 'Written to bench/RESULTS.md' : 'Done');
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
