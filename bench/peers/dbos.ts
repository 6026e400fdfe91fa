import type { JsonValue } from '../../ledger/records';
import { INPUT } from '../ledger/contestant';
import type { Peers } from './install';
import type { Peer } from './Peer';

type Workflow = (key: string, input: JsonValue) => Promise<JsonValue>;

interface Dbos {
	setConfig(config: {
		name: string;
		applicationVersion: string;
		systemDatabaseUrl: string;
		logLevel: string;
	}): void;
	registerWorkflow(workflow: Workflow, options: { name: string }): Workflow;
	launch(): Promise<void>;
	startWorkflow(
		workflow: Workflow,
		options: { workflowID: string },
	): (...args: Parameters<Workflow>) => Promise<{ getResult(): Promise<JsonValue> }>;
	shutdown(options: { deregister: boolean }): Promise<void>;
}

const PACKAGE = '@dbos-inc/dbos-sdk';

export function dbos(peers: Peers, url: string): Peer {
	const { DBOS } = peers.load<{ DBOS: Dbos }>(PACKAGE);
	const systemDatabase = new URL(url);
	systemDatabase.pathname = '/dbos';
	return {
		name: 'DBOS',
		setup:
			`${peers.version(PACKAGE)}: \`startWorkflow\` with the key as the workflow’s id, and \`getResult\`. A workflow without steps. ` +
			'Its database is another one on the same server.',
		singleton: true,
		async open(work) {
			DBOS.setConfig({
				name: 'bench',
				applicationVersion: '0.1.0',
				systemDatabaseUrl: systemDatabase.href,
				// It warns of connections that end with the server, after its own end.
				logLevel: 'error',
			});
			const workflow = DBOS.registerWorkflow(async (key) => await work(key), { name: 'bench' });
			await DBOS.launch();
			return {
				async run(key) {
					const handle = await DBOS.startWorkflow(workflow, { workflowID: key })(key, INPUT);
					return { got: 'result', result: await handle.getResult() };
				},
				close: () => DBOS.shutdown({ deregister: true }),
			};
		},
	};
}
