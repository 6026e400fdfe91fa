/** What identifies a command among the others is never common. */
const OWN = new Set(['key', 'token', 'claimant']);

/**
 * Splits off what all commands of a batch have in common: an n8n node claims its items with the same namespace, execution,
 * lease and so on, and the server would otherwise read these again for every item.
 */
export function hoist<C extends object>(
	commands: C[],
): { common: Partial<C>; rest: Array<Partial<C>> } {
	const names = Object.keys(commands[0]) as Array<keyof C & string>;
	const isCommon = (name: keyof C & string) =>
		!OWN.has(name) && commands.every((command) => command[name] === commands[0][name]);
	const common = names.filter(isCommon);
	const own = names.filter((name) => !common.includes(name));
	return { common: pick(commands[0], common), rest: commands.map((command) => pick(command, own)) };
}

function pick<C extends object>(command: C, names: Array<keyof C & string>): Partial<C> {
	const picked: Partial<C> = {};
	for (const name of names) picked[name] = command[name];
	return picked;
}
