import {
	closeSync,
	existsSync,
	fstatSync,
	mkdtempSync,
	openSync,
	readSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Something that a worker has seen acknowledged, or has done. */
export interface Entry {
	worker: number;
	/**
	 * `effect` is the side effect that a step stands for, `undo` what takes it back; `refused` a `ClaimError`; the others are
	 * acknowledged calls.
	 */
	op:
		| 'claim'
		| 'begin'
		| 'effect'
		| 'finish'
		| 'complete'
		| 'take'
		| 'undo'
		| 'undone'
		| 'review'
		| 'refused'
		| 'unavailable';
	key: string;
	step?: string;
	/** What was taken to be undone, in the order in which it came. */
	steps?: string[];
	attempt?: number;
	outcome?: string;
	repeated?: boolean;
	/** Name of the error, and what it was the answer to. */
	error?: string;
	during?: string;
}

/**
 * What all workers of a test write down, in one file and so in one order. What was written stays when its writer is
 * killed right after; only a line that was being written may be cut off.
 */
export class JournalWriter {
	private readonly file: number;

	constructor(path: string) {
		this.file = openSync(path, 'a');
	}

	write(...entries: Entry[]): void {
		// The leading line break parts it from what a killed worker may have left.
		const lines = entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join('');
		if (lines) writeSync(this.file, lines);
	}
}

export class Journal {
	readonly path = join(mkdtempSync(join(tmpdir(), 'idempotency-races-')), 'journal');
	private readonly all: Entry[] = [];
	private unread = 0;

	/** All entries up to now. */
	read(): Entry[] {
		for (const line of this.newLines()) {
			const entry = parse(line);
			if (entry) this.all.push(entry);
		}
		return this.all;
	}

	count(op: Entry['op']): number {
		return this.read().filter((entry) => entry.op === op).length;
	}

	dispose(): void {
		rmSync(dirname(this.path), { recursive: true, force: true });
	}

	private newLines(): string[] {
		if (!existsSync(this.path)) return [];
		const file = openSync(this.path, 'r');
		const bytes = Buffer.alloc(fstatSync(file).size - this.unread);
		readSync(file, bytes, 0, bytes.length, this.unread);
		closeSync(file);
		// Up to the last line break: the rest may be half of a line.
		const end = bytes.lastIndexOf('\n') + 1;
		this.unread += end;
		return bytes.toString('utf8', 0, end).split('\n').filter(Boolean);
	}
}

export function groupBy<T>(list: T[], name: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of list) {
		const group = groups.get(name(item));
		if (group) group.push(item);
		else groups.set(name(item), [item]);
	}
	return groups;
}

function parse(line: string): Entry | undefined {
	try {
		return JSON.parse(line) as Entry;
	} catch {
		return undefined;
	}
}
