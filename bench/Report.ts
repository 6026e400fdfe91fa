import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

/** Where a measured number stands to what we promised ourselves. */
export interface Bar {
	what: string;
	value: number;
	bar: number;
	/** `least`: the value must not be below the bar; `most`: not above it. */
	bound: 'least' | 'most';
}

export type Row = Record<string, string | number>;

/** What a run found, on screen while it is measured and as Markdown at the end. */
export class Report {
	private readonly lines: string[] = [];
	private readonly bars: Bar[] = [];
	/** Files that the text refers to, by name. */
	readonly pictures = new Map<string, string>();
	private readonly started = performance.now();
	private readonly timeBefore = processorTime();

	section(title: string): void {
		this.lines.push('', `## ${title}`, '');
		this.progress(title);
	}

	text(markdown: string): void {
		this.lines.push(markdown, '');
		console.log(markdown);
	}

	/** The columns are those of the first row. */
	table(rows: Row[]): void {
		const columns = Object.keys(rows[0] ?? {});
		const cells = (values: Array<string | number>) => `| ${values.join(' | ')} |`;
		this.text(
			[
				cells(columns),
				cells(columns.map((_, i) => (i === 0 ? '---' : '---:'))),
				...rows.map((row) => cells(columns.map((column) => row[column] ?? ''))),
			].join('\n'),
		);
	}

	picture(file: string, description: string, svg: string): void {
		this.pictures.set(file, svg);
		this.lines.push(`![${description}](${file})`, '');
	}

	/** Says whether it was met, and keeps it for the summary. */
	bar(bar: Bar): void {
		this.bars.push(bar);
		this.text(`- ${verdict(bar)}`);
	}

	/** Only on screen: what is being done, and when. */
	progress(line: string): void {
		const seconds = Math.round((performance.now() - this.started) / 1000);
		const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
		console.log(`[${clock}] ${line}`);
	}

	/** How much of this machine was not there, if it is a virtual one that can tell. */
	private stolen(): string {
		const { all, stolen } = processorTime();
		const share = (stolen - this.timeBefore.stolen) / (all - this.timeBefore.all);
		return share > 0
			? `; its host took away ${(100 * share).toFixed(1)} % of the processors' time`
			: '';
	}

	markdown(command: string): string {
		const minutes = Math.round((performance.now() - this.started) / 60_000);
		return [
			'# Benchmark results',
			'',
			`Made by \`${command}\` in ${minutes} minutes on ${cpus().length} × ${cpus()[0].model}, ` +
				`${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}; ` +
				`load at the end ${loadavg()[0].toFixed(1)}${this.stolen()}.`,
			'',
			'Absolute numbers are those of this machine at that moment. Only the ratios are claimed: both sides of each were',
			'measured in the same run, in turns.',
			'',
			...(this.bars.length > 0 ? ['## What we promised ourselves', ''] : []),
			...this.bars.map((bar) => `- ${verdict(bar)}`),
			...this.lines,
		]
			.join('\n')
			.replace(/\n{3,}/g, '\n\n');
	}
}

/** Of all processors since the start of the machine, as Linux counts it; and what of it the host gave to others. */
function processorTime(): { all: number; stolen: number } {
	const file = '/proc/stat';
	if (!existsSync(file)) return { all: 0, stolen: 0 };
	const [total] = readFileSync(file, 'utf8').split('\n');
	// user, nice, system, idle, iowait, irq, softirq, steal
	const times = total.split(/\s+/).slice(1, 9).map(Number);
	return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] };
}

function verdict({ what, value, bar, bound }: Bar): string {
	const met = bound === 'least' ? value >= bar : value <= bar;
	return `${what}: ${value.toFixed(2)} (at ${bound} ${bar}) ${met ? 'met' : '**MISSED**'}`;
}
