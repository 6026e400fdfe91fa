import type { JsonValue } from '../../ledger/records';
import { INPUT } from '../ledger/contestant';
import type { Peers } from './install';
import type { Peer } from './Peer';

const PACKAGE = '@aws-lambda-powertools/idempotency';

/** A connected client, and how to let go of it. */
interface Cache {
	client: unknown;
	close(): unknown;
}

interface Context {
	getRemainingTimeInMillis(): number;
}

type Handler = (event: { id: string }, context: Context) => Promise<JsonValue>;

/** Powertools on the client that its documentation names for Redis. */
export function powertools(peers: Peers, url: string): Peer {
	const { createClient } = peers.load<{
		createClient(options: { url: string }): {
			connect(): Promise<unknown>;
			close(): Promise<void>;
		};
	}>('@redis/client');
	return idempotentHandler(peers, 'Powertools', '@redis/client', async () => {
		const client = createClient({ url });
		await client.connect();
		return { client, close: () => client.close() };
	});
}

/** Powertools on the client that its documentation names for Valkey. */
export function powertoolsOnGlide(peers: Peers, url: string): Peer {
	const { GlideClient } = peers.load<{
		GlideClient: {
			createClient(options: {
				addresses: Array<{ host: string; port: number }>;
				requestTimeout: number;
			}): Promise<{ close(): void }>;
		};
	}>('@valkey/valkey-glide');
	const { hostname: host, port } = new URL(url);
	return idempotentHandler(peers, 'Powertools on Glide', '@valkey/valkey-glide', async () => {
		const client = await GlideClient.createClient({
			addresses: [{ host, port: Number(port) }],
			requestTimeout: 2000,
		});
		return { client, close: () => client.close() };
	});
}

/** A Lambda handler, called with a context: from it Powertools knows until when a claim is alive. */
function idempotentHandler(
	peers: Peers,
	name: string,
	client: string,
	connect: () => Promise<Cache>,
): Peer {
	const { makeIdempotent } = peers.load<{
		makeIdempotent(handler: Handler, options: { persistenceStore: unknown }): Handler;
	}>(PACKAGE);
	const { CachePersistenceLayer } = peers.load<{
		CachePersistenceLayer: new (options: { client: unknown }) => unknown;
	}>(`${PACKAGE}/cache`);
	const context: Context = { getRemainingTimeInMillis: () => 15 * 60 * 1000 };
	return {
		name,
		setup:
			`${peers.version(PACKAGE)} with its cache persistence on ${peers.version(client)}: \`makeIdempotent\` around a Lambda handler, ` +
			'called with a context as Lambda does. The whole event is the key.',
		async open(work) {
			const cache = await connect();
			const handler = makeIdempotent(async ({ id }) => await work(id), {
				persistenceStore: new CachePersistenceLayer({ client: cache.client }),
			});
			return {
				async run(key) {
					try {
						return { got: 'result', result: await handler({ ...INPUT, id: key }, context) };
					} catch (error) {
						if ((error as Error).name !== 'IdempotencyAlreadyInProgressError') throw error;
						return { got: 'in progress' };
					}
				},
				async close() {
					await cache.close();
				},
			};
		},
	};
}
