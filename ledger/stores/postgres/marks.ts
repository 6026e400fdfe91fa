import type { Mark } from '../RecordStore';
import { MARK } from './columns';
import { inOrder } from './inOrder';
import type { Runner } from './Runner';
import { talliesJson } from './tallies';

interface Row {
	namespace: string;
	object: string;
	previous: number | null;
}

/** Each object's mark is raised once, to the highest version of the call; which marks are stale follows from what it was before. */
export async function raiseMarks(runner: Runner, marks: Mark[]): Promise<boolean[]> {
	if (marks.length === 0) return [];
	const present = await versionsBefore(runner, marks);
	const stale = marks.map((mark) => {
		const before = present.get(nameOf(mark)) ?? -Infinity;
		present.set(nameOf(mark), Math.max(before, mark.version));
		return before > mark.version;
	});
	await countStale(
		runner,
		marks.filter((_, i) => stale[i]),
	);
	return stale;
}

async function versionsBefore(runner: Runner, marks: Mark[]): Promise<Map<string, number>> {
	const highest = new Map<string, Mark>();
	for (const mark of marks) {
		const other = highest.get(nameOf(mark)) ?? mark;
		highest.set(nameOf(mark), {
			...mark,
			version: Math.max(mark.version, other.version),
			retentionMs: Math.max(mark.retentionMs, other.retentionMs),
		});
	}
	const { items } = inOrder([...highest.values()], ({ object }) => object);
	const rows = await runner.runFor<Mark, Row>('raise_marks.sql', MARK, items);
	return new Map(rows.map((row) => [nameOf(row), row.previous ?? -Infinity]));
}

/** In a statement of its own: which marks are stale is only known here, and few are. */
async function countStale(runner: Runner, stale: Mark[]): Promise<void> {
	if (stale.length > 0) await runner.run('count_stale.sql', { tallies: talliesJson(stale) });
}

function nameOf({ namespace, object }: Pick<Mark, 'namespace' | 'object'>): string {
	return JSON.stringify([namespace, object]);
}
