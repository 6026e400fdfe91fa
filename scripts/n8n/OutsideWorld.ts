/** Stands for all services that the example workflows talk to, on this machine, and counts what reaches them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

/** Something that happened out there and cannot be taken back. */
export interface Effect {
	/** `invoices` for a request to https://invoices.example.com. */
	service: string;
	id: string;
	body: IDataObject;
}

/** What a service gives to a GET, or instead of an effect. */
type Answer = { status: number; body: IDataObject };

export class OutsideWorld {
	readonly effects: Effect[] = [];
	/** How long a service takes from its effect to its answer. */
	delayMs = 0;
	private readonly answers = new Map<string, Answer>();
	private readonly failures = new Map<string, { times: number; status: number }>();
	private readonly holds = new Map<string, Hold>();

	private constructor(private readonly server: Server) {}

	static async open(port = 0): Promise<OutsideWorld> {
		const server = createServer();
		const world = new OutsideWorld(server);
		server.on('request', (request, response) => {
			world.serve(request, response).catch((error: Error) => response.destroy(error));
		});
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		return world;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	of(service: string): Effect[] {
		return this.effects.filter((effect) => effect.service === service);
	}

	/** From now on a GET to the service gets this. */
	offer(service: string, body: IDataObject): void {
		this.answers.set(service, { status: 200, body });
	}

	/** The service refuses its next requests, without an effect. */
	refuse(service: string, times: number, status = 500): void {
		this.failures.set(service, { times, status });
	}

	/** The service answers nothing before `release`; `arrived` tells when a first request waits there. */
	hold(service: string): { arrived: Promise<void>; release: () => void } {
		const hold = new Hold();
		this.holds.set(service, hold);
		return { arrived: hold.arrived, release: hold.release };
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { status, body } = await this.answer(request);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	}

	private async answer(request: IncomingMessage): Promise<Answer> {
		const service = request.url!.split('/')[1];
		const body = await read(request);
		await this.holds.get(service)?.wait();
		if (request.method === 'GET') {
			return this.answers.get(service) ?? { status: 200, body: { effects: this.of(service) } };
		}
		const refusal = this.failures.get(service);
		if (refusal && refusal.times > 0) {
			refusal.times--;
			return { status: refusal.status, body: { message: `${service} is out of order` } };
		}
		const effect = { service, id: `${service}-${this.of(service).length + 1}`, body };
		this.effects.push(effect);
		if (this.delayMs > 0) await sleep(this.delayMs);
		return { status: 200, body: service === 'openai' ? completion(effect.id) : { id: effect.id } };
	}
}

class Hold {
	release!: () => void;
	private arrive!: () => void;
	readonly arrived = new Promise<void>((resolve) => (this.arrive = resolve));
	private readonly released = new Promise<void>((resolve) => (this.release = resolve));

	async wait(): Promise<void> {
		this.arrive();
		await this.released;
	}
}

async function read(request: IncomingMessage): Promise<IDataObject> {
	let text = '';
	for await (const chunk of request.setEncoding('utf8')) text += chunk;
	return text === '' ? {} : (JSON.parse(text) as IDataObject);
}

/** What OpenAI's chat API answers; the id in it tells one answer from the next. */
function completion(id: string): IDataObject {
	return {
		id,
		object: 'chat.completion',
		created: 0,
		model: 'gpt-4.1-mini',
		choices: [
			{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `Sales ${id}` } },
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
