/** What identifies a command among the others is never common. */
const OWN = new Set(['key', 'token', 'claimant']);

/**
 * A batch by columns instead of rows, without what all its commands have in common: an n8n node claims its items with the same
 * namespace, execution, lease and so on, and the server would otherwise read these, and the names of all fields, again for
 * every item.
 */
export function byColumns<C extends object>(
	commands: C[],
): { common: Partial<C>; columns: { [F in keyof C]?: Array<C[F]> } } {
	const [first] = commands;
	const common: Partial<C> = {};
	const columns: { [F in keyof C]?: Array<C[F]> } = {};
	for (const name of Object.keys(first) as Array<keyof C & string>) {
		const value = first[name];
		const isOwn = OWN.has(name) || commands.some((command) => command[name] !== value);
		if (isOwn) columns[name] = commands.map((command) => command[name]);
		else common[name] = value;
	}
	return { common, columns };
}
