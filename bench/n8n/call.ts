import { randomUUID } from 'node:crypto';

import { PASSED } from './workflow';

/** An event as a payment provider sends it. */
export interface Event {
	id: string;
	type: string;
	amount: number;
	currency: string;
	customer: string;
}

const run = randomUUID().slice(0, 8);
let made = 0;

/** Events that nobody has seen before. */
export function newEvents(count: number): Event[] {
	return Array.from({ length: count }, () => ({
		id: `evt_${run}${(++made).toString(36).padStart(6, '0')}`,
		type: 'invoice.paid',
		amount: 4200,
		currency: 'eur',
		customer: 'cus_9s6XKzkNRiz8i3',
	}));
}

export interface Answer {
	/** Whether anything came through to the end of the workflow. */
	passed: boolean;
	status: number;
	body: string;
	/** Until the answer was there. */
	ms: number;
}

export async function post(url: string, items: Event[]): Promise<Answer> {
	const start = performance.now();
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	const body = await response.text();
	const ms = performance.now() - start;
	return { passed: response.headers.has(PASSED), status: response.status, body, ms };
}

/** One call with new events, which have to come through; resolves to its milliseconds. */
export async function callWithNew(url: string, count: number): Promise<number> {
	const { passed, status, body, ms } = await post(url, newEvents(count));
	if (!passed) throw new Error(`New events did not come through: ${status} ${body}`);
	return ms;
}
