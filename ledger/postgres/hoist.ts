/** What identifies a command among the others is never common. */
const OWN = new Set(['key', 'token', 'claimant']);

/**
 * Splits off what all commands of a batch have in common: an n8n node claims its items with the same namespace, execution,
 * lease and so on, and the server would otherwise read these again for every item.
 */
export function hoist<C extends object>(
	commands: C[],
): { common: Partial<C>; own: Array<keyof C & string> } {
	const [first] = commands;
	const common: Partial<C> = {};
	const own: Array<keyof C & string> = [];
	for (const name of Object.keys(first) as Array<keyof C & string>) {
		const isOwn = OWN.has(name) || commands.some((command) => command[name] !== first[name]);
		if (isOwn) own.push(name);
		else common[name] = first[name];
	}
	return { common, own };
}
