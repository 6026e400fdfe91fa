/**
 * `npm run bench [-- --quick] [--old <folder>] [parts]`: what users would pick instead of this package, and what is physically possible, measured
 * in one run. A full run is written to `bench/RESULTS.md`; anything less only says what it found on screen.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Part, PARTS } from './parts';
import { Report } from './Report';

async function main(args: string[]): Promise<void> {
	const { values, positionals: chosen } = parseArgs({
		args,
		options: { quick: { type: 'boolean', default: false }, old: { type: 'string' } },
		allowPositionals: true,
	});
	const { quick, old } = values;
	const unknown = chosen.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown !== undefined) {
		throw new Error(`No part '${unknown}'; there are ${PARTS.map(({ name }) => name).join(', ')}`);
	}
	const parts = PARTS.filter(({ name, resultsFile }) =>
		chosen.length === 0 ? resultsFile === undefined : chosen.includes(name),
	);
	const report = new Report();
	for (const part of parts) await part.run(report, { quick, old });
	const file = quick ? undefined : resultsOf(parts, chosen);
	if (file !== undefined) {
		const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
		writeFileSync(join(__dirname, file), report.markdown(command));
		for (const [name, svg] of report.pictures) writeFileSync(join(__dirname, name), svg);
	}
	report.progress(file === undefined ? 'Done' : `Written to bench/${file}`);
}

/** All parts together have a file of results, and a part that is only run alone has its own. */
function resultsOf(parts: Part[], chosen: string[]): string | undefined {
	if (chosen.length === 0) return 'RESULTS.md';
	return parts.length === 1 ? parts[0].resultsFile : undefined;
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
