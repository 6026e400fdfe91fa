/** What is outside and sends events: a shop, say, which knows nothing of n8n but its answers. */
import type { IDataObject } from 'n8n-workflow';

export interface Answer {
	/** 0 if there was none. */
	status: number;
	body: unknown;
}

export async function deliver(url: string, event: IDataObject): Promise<Answer> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(event),
			signal: AbortSignal.timeout(60_000),
		});
		return { status: response.status, body: parsed(await response.text()) };
	} catch (error) {
		return { status: 0, body: String(error) };
	}
}

export const accepted = ({ status }: Answer): boolean => status >= 200 && status < 300;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** `size` at a time, the results in the order of the items. */
export async function inPool<Item, Result>(
	items: Item[],
	size: number,
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const queue = items.entries();
	const takeAll = async () => {
		for (const [i, item] of queue) results[i] = await work(item);
	};
	await Promise.all(Array.from({ length: size }, takeAll));
	return results;
}
