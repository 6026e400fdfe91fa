import type { Tier } from '../../../../keys/presets';

export type Json = Record<string, unknown>;

/** One event of a sender, as it arrives, arrives again, and as another event would. */
export interface Sample {
	preset: string;
	variant: 'webhook' | 'trigger';
	tier: Tier;
	key: string;
	event: Json;
	/** What is different when the same event is delivered again, by path. */
	again?: Json;
	/** What makes it another event, by path. */
	other: Json;
	/** Of other kinds of event of the same sender. */
	kind?: string;
}

/** What n8n's Webhook node gives out. */
export function call(headers: Json, body: unknown): Json {
	return {
		headers: { host: 'n8n.example.com', 'content-type': 'application/json', ...headers },
		params: {},
		query: {},
		body,
		webhookUrl: 'https://n8n.example.com/webhook/abc',
		executionMode: 'production',
	};
}
