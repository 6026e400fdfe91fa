/** A real n8n with this package in it, the servers that it needs, and everything outside of it. */
import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { openLedger } from '../../ledger/open';
import type { Ledger } from '../../ledger/Ledger';
import type { LedgerSettings } from '../../ledger/settings';
import { localExample, type Surroundings, withCredentials } from '../../scripts/n8n/examples';
import { DEFAULT_VERSION, ensureHost } from '../../scripts/n8n/host';
import { installPackage } from '../../scripts/n8n/installPackage';
import { N8n } from '../../scripts/n8n/N8n';
import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import { OutsideWorld } from '../../scripts/n8n/OutsideWorld';
import { startPostgres } from '../servers/postgres';
import { startRedis } from '../servers/redis';
import { makeDirectory, removeDirectory, type ServerProcess } from '../servers/ServerProcess';

export type StoreName = 'embedded' | 'postgres' | 'redis';

/** A ledger as the workflows have it, by its credential, and as a test looks into it. */
export interface StageLedger {
	credentialId: string;
	ledger: Ledger;
	/** Its server; the embedded ledger has none. */
	server?: ServerProcess;
}

/** An example in n8n, published. */
export interface Published {
	workflowId: string;
	/** Where its webhook listens. */
	url: string;
}

interface StageOptions {
	mode: 'regular' | 'queue';
	version?: string;
	workers?: number;
	env?: NodeJS.ProcessEnv;
}

/** So that a test sees within seconds that a worker is dead. */
const shortLocks = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '4000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

export class Stage {
	private readonly ledgers: StageLedger[] = [];
	private openAi = '';

	private constructor(
		readonly n8n: N8n,
		readonly world: OutsideWorld,
		private readonly servers: ServerProcess[],
		readonly userFolder: string,
	) {}

	static async open({ mode, version, workers = 2, env }: StageOptions): Promise<Stage> {
		const host = await ensureHost(version ?? DEFAULT_VERSION);
		const userFolder = makeDirectory('n8n-user');
		await installPackage(userFolder);
		// n8n's own database; what it keeps is not what is tested.
		const postgres = await startPostgres({ durable: false });
		const redis = mode === 'queue' ? await startRedis() : undefined;
		const n8n = await N8n.start({
			host,
			userFolder,
			postgresUrl: postgres.url,
			queue: redis && { redisPort: redis.port, workers },
			env: { ...shortLocks, ...env },
		});
		await n8n.api.logIn();
		const servers = [postgres, ...(redis ? [redis] : [])];
		return new Stage(n8n, await OutsideWorld.open(), servers, userFolder);
	}

	/** A ledger of one's own, with durable servers. */
	async ledger(store: StoreName): Promise<StageLedger> {
		const { data, settings, server } = await ledgerOf(store, this.userFolder);
		const credentialId = await this.n8n.api.createCredential(
			`Idempotency Ledger (${store})`,
			'idempotencyLedgerApi',
			data,
		);
		const ledger = { credentialId, server, ledger: await openLedger(settings) };
		this.ledgers.push(ledger);
		return ledger;
	}

	/** The example with this ledger, under an address of its own. */
	async publish(
		example: string,
		place: StageLedger,
		change: (workflow: WorkflowJson) => void = () => {},
	): Promise<Published> {
		const workflow = localExample(example, await this.surroundings(place));
		change(workflow);
		return await this.publishWorkflow(workflow, place);
	}

	/** A workflow of a test's own; nodes of ours that have no credential get that of the ledger. */
	async publishWorkflow(workflow: WorkflowJson, place: StageLedger): Promise<Published> {
		const local = withCredentials(workflow, (await this.surroundings(place)).credentials);
		const webhooks = local.nodes.filter(({ type }) => type === 'n8n-nodes-base.webhook');
		for (const webhook of webhooks) {
			webhook.webhookId = randomUUID();
			webhook.parameters.path = webhook.webhookId;
		}
		const workflowId = await this.n8n.api.createWorkflow(local);
		await this.n8n.api.publish(workflowId);
		return { workflowId, url: `${this.n8n.url}/webhook/${webhooks[0]?.webhookId}` };
	}

	private async surroundings({ credentialId }: StageLedger): Promise<Surroundings> {
		this.openAi ||= await this.n8n.api.createCredential('OpenAI', 'openAiApi', {
			apiKey: 'none',
			url: `${this.world.url}/openai/v1`,
		});
		return {
			credentials: { idempotencyLedgerApi: credentialId, openAiApi: this.openAi },
			outsideWorldUrl: this.world.url,
		};
	}

	async close(): Promise<void> {
		await Promise.all(this.ledgers.map(({ ledger }) => ledger.close()));
		await this.n8n.stop();
		await this.world.close();
		const servers = [...this.servers, ...this.ledgers.flatMap(({ server }) => server ?? [])];
		await Promise.all(servers.map((server) => server.stop()));
		removeDirectory(this.userFolder);
	}
}

/** The node of a workflow, to be changed. */
export function nodeOf({ nodes }: WorkflowJson, name: string): INode {
	const node = nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`The example has no node '${name}'`);
	return node;
}

/** Adds to the options of a node of ours. */
export function setOptions(workflow: WorkflowJson, name: string, options: INodeParameters): void {
	const { parameters } = nodeOf(workflow, name);
	parameters.options = { ...(parameters.options as INodeParameters), ...options };
}

/** Puts a node between this one's first output and what follows. */
export function insertAfter(
	workflow: WorkflowJson,
	name: string,
	inserted: Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'>,
): void {
	const { position } = nodeOf(workflow, name);
	workflow.nodes.push({ ...inserted, id: randomUUID(), webhookId: randomUUID(), position });
	const outputs = (workflow.connections[name] ??= { main: [] }).main;
	workflow.connections[inserted.name] = { main: [outputs[0] ?? []] };
	outputs[0] = [{ node: inserted.name, type: 'main', index: 0 }];
}

/** `data` for n8n's credential and `settings` for the library say the same. */
async function ledgerOf(
	store: StoreName,
	userFolder: string,
): Promise<{ data: IDataObject; settings: LedgerSettings; server?: ServerProcess }> {
	if (store === 'embedded') {
		const file = `${userFolder}/${randomUUID()}.sqlite`;
		return { data: { store, file }, settings: { store, file } };
	}
	if (store === 'postgres') {
		const server = await startPostgres();
		const { url } = server;
		return {
			server,
			data: { store, connectWith: 'url', url },
			settings: { store, url },
		};
	}
	const server = await startRedis({ appendfsyncAlways: true });
	return {
		server,
		data: { store, topology: 'single', host: '127.0.0.1', port: server.port },
		settings: { store, topology: 'single', nodes: [{ host: '127.0.0.1', port: server.port }] },
	};
}
