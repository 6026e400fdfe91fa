import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

/** An incoming webhook: a real server that keeps what it gets. */
export class Inbox {
	readonly messages: IDataObject[] = [];
	/** What it answers. */
	status = 200;
	private server?: Server;

	async open(): Promise<void> {
		this.server = createServer((request, response) => {
			let text = '';
			request.on('data', (part) => (text += part));
			request.on('end', () => {
				if (this.status === 200) this.messages.push(JSON.parse(text) as IDataObject);
				response.statusCode = this.status;
				response.end('ok');
			});
		});
		await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}/hook`;
	}

	/** The links of the last message, by approver. */
	get links(): Record<string, string> {
		const links = this.messages.at(-1)!.links as Array<{ approver?: string; url: string }>;
		return Object.fromEntries(links.map(({ approver = 'anyone', url }) => [approver, url]));
	}

	async close(): Promise<void> {
		await new Promise((resolve) => this.server?.close(resolve));
	}
}

/** One for all tests of a file. */
export function useInbox(): Inbox {
	const inbox = new Inbox();
	beforeAll(() => inbox.open());
	afterAll(() => inbox.close());
	beforeEach(() => {
		inbox.messages.length = 0;
		inbox.status = 200;
	});
	return inbox;
}
