import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODES = join(__dirname, '../../../nodes');
const HOME = join('shared', 'n8n');

/** What n8n promises nobody. */
const INTERNALS = [
	'runExecutionData',
	'runtimeData',
	'resumeToken',
	'nodeExecutionStack',
	'contextData',
	'additionalData',
	'__emit',
	'connectionInputData',
];

const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);

function used(file: string): string[] {
	const code = readFileSync(join(NODES, file), 'utf8');
	return INTERNALS.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
}

describe("n8n's internals", () => {
	it('are touched in one folder, which lists them', () => {
		const elsewhere = files.filter((file) => !file.startsWith(HOME) && used(file).length > 0);
		expect(elsewhere).toEqual([]);
		const [header] = readFileSync(join(NODES, HOME, 'internals.ts'), 'utf8').split('*/');
		const here = files.filter((file) => file.startsWith(HOME) && !file.endsWith('internals.ts'));
		expect(here.length).toBeGreaterThan(3);
		for (const file of here.filter((each) => used(each).length > 0)) {
			expect(header).toContain(file.slice(HOME.length + 1));
		}
	});
});
