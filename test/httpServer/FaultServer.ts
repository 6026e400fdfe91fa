import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the server does with one request, instead of acting and answering 201. */
export type Fault =
	/** The connection breaks before anything happened. */
	| { kind: 'dropBefore' }
	/** The effect happens, and the answer gets lost. */
	| { kind: 'dropAfter' }
	/** Headers and half of the body arrive. */
	| { kind: 'closeMidBody' }
	/** The effect happens only when nobody waits for the answer any more. */
	| { kind: 'late' }
	/** Another answer; without an effect unless it says so. */
	| {
			kind: 'answer';
			status: number;
			headers?: Record<string, string>;
			body?: string | Buffer;
			acts?: boolean;
	  };

export interface Seen {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

/**
 * A destination with faults by script and a count of its effects. A request is about the thing that its query names (`?id=`); each
 * request that is no GET takes the next fault of that thing's script. With keys honoured, a repeated key gets the first answer.
 */
export class FaultServer {
	readonly seen: Seen[] = [];
	honoursKeys: boolean | ((id: string) => boolean) = false;
	/** Called when a request has arrived, before anything happens to it. */
	onRequest?: (seen: Seen) => Promise<void> | void;
	/** Called when the effect has happened, before the answer. */
	onEffect?: (id: string) => Promise<void> | void;
	private readonly scripts = new Map<string, Fault[]>();
	private readonly things = new Map<string, number>();
	private readonly byKey = new Map<string, 'in progress' | { status: number; body: string }>();

	private constructor(private readonly server: Server) {}

	static async start(): Promise<FaultServer> {
		const server = createServer((request, response) => {
			faults.serve(request, response).catch(() => response.destroy());
		});
		const faults = new FaultServer(server);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return faults;
	}

	/** The URL of a thing. */
	url(id: string, path = '/things'): string {
		const { port } = this.server.address() as AddressInfo;
		return `http://127.0.0.1:${port}${path}?id=${encodeURIComponent(id)}`;
	}

	script(id: string, faults: Fault[]): void {
		this.scripts.set(id, [...faults]);
	}

	/** How often the thing was made. */
	effects(id: string): number {
		return this.things.get(id) ?? 0;
	}

	/** Waits until the thing was made. */
	async acted(id: string): Promise<void> {
		while (this.effects(id) === 0) await sleep(5);
	}

	requests(id: string, method = 'POST'): Seen[] {
		return this.seen.filter(
			(seen) =>
				seen.method === method && new URL(seen.url, 'http://x').searchParams.get('id') === id,
		);
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = '', url = '', headers } = request;
		const seen = { method, url, headers, body: Buffer.concat(chunks) };
		this.seen.push(seen);
		await this.onRequest?.(seen);
		const query = new URL(url, 'http://x').searchParams;
		const id = query.get('id') ?? '';
		if (method === 'GET') return this.list(query, response);

		const key = this.honours(id) ? header(headers['idempotency-key']) : undefined;
		const known = key === undefined ? undefined : this.byKey.get(key);
		const fault = this.scripts.get(id)?.shift();
		if (fault?.kind === 'dropBefore') return void response.destroy();
		if (fault?.kind === 'answer' && !fault.acts) return void answer(response, fault);
		if (known === 'in progress') return void answer(response, { status: 409, body: '{}' });

		const made = known ?? {
			status: 201,
			body: JSON.stringify({ id: `thing-${id}`, state: 'made' }),
		};
		if (!known) {
			if (key !== undefined) this.byKey.set(key, 'in progress');
			if (fault?.kind === 'late') await once(response, 'close');
			// The effect and its record are one, as they should be.
			this.things.set(id, this.effects(id) + 1);
			if (key !== undefined) this.byKey.set(key, made);
			await this.onEffect?.(id);
		}
		if (fault?.kind === 'dropAfter') return void response.destroy();
		if (fault?.kind === 'closeMidBody') return breakOff(response, made.body);
		if (fault?.kind === 'answer') return void answer(response, fault);
		answer(response, { ...made, headers: known ? { 'idempotent-replayed': 'true' } : {} });
	}

	private honours(id: string): boolean {
		return typeof this.honoursKeys === 'function' ? this.honoursKeys(id) : this.honoursKeys;
	}

	/** What a look-up asks. The query may say how it is to be answered. */
	private list(query: URLSearchParams, response: ServerResponse): void {
		const id = query.get('id') ?? '';
		const length = Number(query.get('results') ?? this.effects(id));
		const data = Array.from({ length }, () => ({ id: `thing-${id}`, ref: id }));
		const status = Number(query.get('status') ?? 200);
		answer(response, { status, body: JSON.stringify({ data }) });
	}
}

function answer(
	response: ServerResponse,
	{
		status,
		headers = {},
		body = '{}',
	}: Pick<Extract<Fault, { kind: 'answer' }>, 'status' | 'headers' | 'body'>,
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(body);
}

function breakOff(response: ServerResponse, body: string): void {
	response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length });
	response.write(body.slice(0, body.length / 2), () => response.destroy());
}

function header(value: string | string[] | undefined): string | undefined {
	return Array.isArray(value) ? value[0] : value;
}
