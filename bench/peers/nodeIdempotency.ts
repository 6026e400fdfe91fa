import type { JsonValue } from '../../ledger/records';
import { INPUT } from '../ledger/contestant';
import type { Peers } from './install';
import type { Peer } from './Peer';

interface Request {
	method: string;
	path: string;
	headers: Record<string, string>;
	body: Record<string, unknown>;
}

interface Response {
	body: JsonValue;
	additional: { statusCode: number };
}

interface Idempotency {
	onRequest(request: Request): Promise<Response | undefined>;
	onResponse(request: Request, response: Response): Promise<void>;
}

interface Storage {
	connect(): Promise<void>;
	disconnect(): Promise<void>;
}

const CORE = '@node-idempotency/core';
const STORAGE = '@node-idempotency/storage-adapter-redis';

/** What its middlewares for Express, Fastify and NestJS call before and after the handler; without an HTTP server around it. */
export function nodeIdempotency(peers: Peers, url: string): Peer {
	const { Idempotency } = peers.load<{ Idempotency: new (storage: Storage) => Idempotency }>(CORE);
	const { RedisStorageAdapter } = peers.load<{
		RedisStorageAdapter: new (options: { url: string }) => Storage;
	}>(STORAGE);
	return {
		name: 'node-idempotency',
		setup:
			`${peers.version(CORE)} with ${peers.version(STORAGE)}, an implementation of the IETF draft of Idempotency-Key: ` +
			'`onRequest` and `onResponse`, which its middlewares call around a handler; without an HTTP server.',
		async open(work) {
			const storage = new RedisStorageAdapter({ url });
			await storage.connect();
			const idempotency = new Idempotency(storage);
			return {
				async run(key) {
					const request = {
						method: 'POST',
						path: '/invoices',
						headers: { 'idempotency-key': key },
						body: INPUT,
					};
					try {
						const stored = await idempotency.onRequest(request);
						if (stored) return { got: 'result', result: stored.body };
					} catch (error) {
						if ((error as { code?: string }).code !== 'REQUEST_IN_PROGRESS') throw error;
						return { got: 'in progress' };
					}
					const result = await work(key);
					await idempotency.onResponse(request, { body: result, additional: { statusCode: 200 } });
					return { got: 'result', result };
				},
				close: () => storage.disconnect(),
			};
		},
	};
}
