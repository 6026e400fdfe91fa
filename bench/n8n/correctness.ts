import type { Part } from '../parts';
import type { Row } from '../Report';
import { Arena, type Racer } from './Arena';
import { type Answer, type Event, newEvents, post } from './call';
import {
	type Contestant,
	type Mode,
	ours,
	postgresNode,
	postgresNodeFiltered,
	redisNode,
	redisNodeFiltered,
	removeDuplicates,
} from './contestants';

/** The last ones of the built-in only in regular mode: they cannot be better in the other. */
const CONTESTANTS: Record<Mode, Contestant[]> = {
	regular: [
		removeDuplicates,
		postgresNode,
		postgresNodeFiltered,
		redisNode,
		redisNodeFiltered,
		...ours,
	],
	queue: [removeDuplicates, postgresNodeFiltered, redisNodeFiltered, ...ours],
};
const DELIVERIES = 20;

/** n8n gets through three times as much when it makes no sandbox for each execution and waits for no disk. */
const HURRIED = { durable: false, env: { N8N_EXPRESSION_ENGINE: 'legacy' } };

/** The same event, many times at once. */
export const correctnessPart: Part = {
	name: 'correctness',
	async run(report, { quick }) {
		const events = quick ? 5 : 20;
		report.section('In n8n: who lets each event through once');
		report.text(
			[
				`${events} events, one after the other, each delivered ${DELIVERIES} times at once, to the workflows of the section before. Right is`,
				`one delivery of each event, ${events} in all. So that the deliveries come closer together, n8n has the expression engine of 1.x, and`,
				'Postgres does not wait for the disk.',
			].join('\n'),
		);
		for (const mode of quick ? (['regular'] as const) : (['regular', 'queue'] as const)) {
			report.progress(`n8n in ${mode} mode: starting`);
			const arena = await Arena.open(mode, HURRIED);
			try {
				const rows: Row[] = [];
				for (const contestant of CONTESTANTS[mode]) {
					if (!contestant.modes.includes(mode)) continue;
					report.progress(`n8n in ${mode} mode: the same events for ${contestant.name}`);
					rows.push(await storm(await arena.enter(contestant), events));
				}
				report.text(`${mode === 'queue' ? 'Queue mode, two workers' : 'Regular mode'}:`);
				report.table(rows);
			} finally {
				await arena.close();
			}
		}
	},
};

async function storm({ name, url }: Racer, count: number): Promise<Row> {
	const passed: number[] = [];
	const blocked = new Map<string, number>();
	for (const event of newEvents(count)) {
		const deliveries = Array.from({ length: DELIVERIES }, () => post(url, [event]));
		const answers = await Promise.all(deliveries);
		passed.push(answers.filter((answer) => answer.passed).length);
		for (const answer of answers.filter((each) => !each.passed)) {
			const kind = kindOf(answer, event);
			blocked.set(kind, (blocked.get(kind) ?? 0) + 1);
		}
	}
	return {
		'in the middle': name,
		'deliveries let through': passed.reduce((sum, each) => sum + each, 0),
		'events let through more than once': passed.filter((each) => each > 1).length,
		'events lost': passed.filter((each) => each === 0).length,
		'answers to the others': [...blocked].map(([kind, times]) => `${times} × ${kind}`).join(', '),
	};
}

function kindOf({ status, body }: Answer, { id }: Event): string {
	return body === '' ? `${status}, empty` : `${status} \`${body.replaceAll(id, '…')}\``;
}
