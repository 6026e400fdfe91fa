/** Items with their places in the call, as the statements are given them. */
export interface Ordered<Item> {
	items: Item[];
	places: number[];
}

/**
 * In the order of their addresses: calls which overlap lock the same records in the same order, so they wait for each other and never
 * in a circle. Any order will do that all processes share.
 */
export function inOrder<Item extends { namespace: string }>(
	items: readonly Item[],
	name: (item: Item) => string,
): Ordered<Item> {
	if (items.length === 1) return { items: [...items], places: [0] };
	const places = items
		.map((_, place) => place)
		.sort(
			(a, b) =>
				compare(items[a].namespace, items[b].namespace) || compare(name(items[a]), name(items[b])),
		);
	return { items: places.map((place) => items[place]), places };
}

function compare(a: string, b: string): number {
	return a < b ? -1 : Number(a > b);
}
