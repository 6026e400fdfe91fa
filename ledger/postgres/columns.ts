import type { ClaimCommand } from '../Store';

/** What nearly every command has of its own, in the order in which claim_events takes it. */
const OWN = ['key', 'token', 'claimant', 'fingerprint', 'input'] as const;

type Shared = Omit<ClaimCommand, (typeof OWN)[number]>;

/** A batch of claims by columns instead of rows. */
export interface Columns {
	own: Array<Array<string | undefined>>;
	/** Of the rest, what is not the same for all. */
	columns: { [F in keyof Shared]?: Array<Shared[F]> };
	/**
	 * And what is. An n8n node claims its items with the same namespace, execution, lease and so on, and the server would otherwise
	 * read these, and the names of all fields, again for every item.
	 */
	common: Partial<Shared>;
}

export function byColumns(commands: ClaimCommand[]): Columns {
	const [first] = commands;
	const columns: Record<string, unknown[]> = {};
	const common: Record<string, unknown> = {};
	for (const name of Object.keys(first) as Array<keyof ClaimCommand>) {
		if (OWN.some((own) => own === name)) continue;
		const value = first[name];
		if (commands.every((command) => command[name] === value)) common[name] = value;
		else columns[name] = commands.map((command) => command[name]);
	}
	return { own: OWN.map((name) => commands.map((command) => command[name])), columns, common };
}
