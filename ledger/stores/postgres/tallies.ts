/** How many items each namespace has, for statements that count them. */
export function talliesJson(items: ReadonlyArray<{ namespace: string }>): string {
	const counts = new Map<string, number>();
	for (const { namespace } of items) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
	return JSON.stringify([...counts].map(([namespace, n]) => ({ namespace, n })));
}
