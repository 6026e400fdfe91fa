import type { Statements } from './statements';

/** A process that meets more namespaces than this looks some of them up again. */
const MOST_REMEMBERED = 10_000;

/** Which number stands for which namespace. Numbers are never given up, so what is known stays true. */
export class Namespaces {
	private readonly ids = new Map<string, number>();

	constructor(private readonly sql: Statements) {}

	find(name: string): number | undefined {
		const known = this.ids.get(name);
		if (known !== undefined) return known;
		const found = this.sql.findNamespace.get({ name });
		return found && this.remember(name, found.id as number);
	}

	/** Adds it if it is missing; only within a transaction for writing. */
	findOrAdd(name: string): number {
		return (
			this.find(name) ?? this.remember(name, this.sql.addNamespace.get({ name })!.id as number)
		);
	}

	/** After a rollback: numbers that it took back must not be used. */
	forget(): void {
		this.ids.clear();
	}

	private remember(name: string, id: number): number {
		if (this.ids.size >= MOST_REMEMBERED) this.forget();
		this.ids.set(name, id);
		return id;
	}
}
