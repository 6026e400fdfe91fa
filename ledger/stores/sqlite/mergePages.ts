/** One of several sorted lists, which gives a few items at a time. */
export type Source<T> = (after: T | undefined, limit: number) => T[];

/** How many items a source is asked for at first. It is asked for twice as many each time that these were not enough. */
const FIRST_READ = 4;

/** The first items of several sorted lists. Of items that are as early as each other, that of the first list comes first. */
export function mergePages<T>(
	sources: Array<Source<T>>,
	limit: number,
	isEarlier: (a: T, b: T) => boolean,
): T[] {
	if (sources.length === 1) return sources[0](undefined, limit);
	const cursors = sources.map((source) => new Cursor(source));
	const page: T[] = [];
	while (page.length < limit) {
		let first: Cursor<T> | undefined;
		for (const cursor of cursors) {
			if (cursor.head && (!first?.head || isEarlier(cursor.head, first.head))) first = cursor;
		}
		if (!first?.head) return page;
		page.push(first.head);
		first.advance(limit - page.length);
	}
	return page;
}

class Cursor<T> {
	/** What comes next; none at the end of the list. */
	head?: T;
	private items: T[] = [];
	private next = 0;
	private size = FIRST_READ;
	private isAtEnd = false;

	constructor(private readonly source: Source<T>) {
		this.advance(FIRST_READ);
	}

	/** `most`: how many items will be asked for at all. */
	advance(most: number): void {
		if (this.next === this.items.length && !this.isAtEnd && most > 0) {
			const wanted = Math.min(this.size, most);
			this.items = this.source(this.items.at(-1), wanted);
			this.next = 0;
			this.size *= 2;
			this.isAtEnd = this.items.length < wanted;
		}
		this.head = this.items[this.next++];
	}
}
