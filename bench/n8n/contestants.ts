/** What can stand between a webhook and the work to let every event through once. */
import type { INode, INodeParameters } from 'n8n-workflow';

export type Mode = 'regular' | 'queue';

/** A node in the middle of the workflow. */
export type Middle = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters' | 'executeOnce'> & {
	credential?: { type: string; name: CredentialName };
};

/** As the arena has them. */
export type CredentialName =
	| 'postgres'
	| 'redis'
	| 'ledger on embedded'
	| 'ledger on Postgres'
	| 'ledger on Redis';

export interface Contestant {
	name: string;
	/** What it consists of, in words. */
	means: string;
	kind: 'baseline' | 'built-in' | 'by hand' | 'ours';
	modes: Mode[];
	nodes: Middle[];
}

const BOTH: Mode[] = ['regular', 'queue'];
const EVENT_ID = '={{ $json.id }}';

export const baseline: Contestant = {
	name: 'nothing',
	means: 'Split Out leads straight to Respond to Webhook',
	kind: 'baseline',
	modes: BOTH,
	nodes: [],
};

export const removeDuplicates: Contestant = {
	name: 'Remove Duplicates',
	means:
		"built in: 'Remove Items Processed in Previous Executions', value `{{ $json.id }}`, history size 1,000,000, empty at the start",
	kind: 'built-in',
	modes: BOTH,
	nodes: [
		{
			name: 'Remove Duplicates',
			type: 'n8n-nodes-base.removeDuplicates',
			typeVersion: 2,
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: EVENT_ID,
				// It refuses to work when its history is full.
				options: { historySize: 1_000_000 },
			},
		},
	],
};

export const postgresNode: Contestant = {
	name: 'Postgres node',
	means: 'built in: `INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id`',
	kind: 'built-in',
	modes: BOTH,
	nodes: [
		{
			name: 'Postgres',
			type: 'n8n-nodes-base.postgres',
			typeVersion: 2.7,
			credential: { type: 'postgres', name: 'postgres' },
			parameters: {
				operation: 'executeQuery',
				query: 'INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id',
				options: { queryReplacement: EVENT_ID },
			},
		},
	],
};

export const oneStatement: Contestant = {
	name: 'Postgres node, one statement',
	means:
		'by hand: Execute Once, with all ids as one JSON array that `INSERT … SELECT … ON CONFLICT DO NOTHING RETURNING id` takes apart',
	kind: 'by hand',
	modes: BOTH,
	nodes: [
		{
			...postgresNode.nodes[0],
			executeOnce: true,
			parameters: {
				operation: 'executeQuery',
				query:
					'INSERT INTO seen (id) SELECT jsonb_array_elements_text($1::jsonb) ON CONFLICT DO NOTHING RETURNING id',
				options: {
					queryReplacement: '={{ JSON.stringify($input.all().map((item) => item.json.id)) }}',
				},
			},
		},
	],
};

export const redisNode: Contestant = {
	name: 'Redis node',
	means: 'built in: `INCR {{ $json.id }}`, without expiry',
	kind: 'built-in',
	modes: BOTH,
	nodes: [
		{
			name: 'Redis',
			type: 'n8n-nodes-base.redis',
			typeVersion: 1,
			credential: { type: 'redis', name: 'redis' },
			parameters: { operation: 'incr', key: EVENT_ID },
		},
	],
};

/** Of what the Postgres node gives out, the rows that it inserted: for none at all it gives out `{ success: true }`. */
export const postgresNodeFiltered: Contestant = {
	...postgresNode,
	name: 'Postgres node + Filter',
	means: 'the same, then Filter: `{{ $json.id }}` exists',
	nodes: [
		...postgresNode.nodes,
		filter({
			leftValue: EVENT_ID,
			rightValue: '',
			operator: { type: 'string', operation: 'exists', singleValue: true },
		}),
	],
};

export const redisNodeFiltered: Contestant = {
	...redisNode,
	name: 'Redis node + Filter',
	means: 'the same, then Filter: the number is 1',
	nodes: [
		...redisNode.nodes,
		filter({
			leftValue: '={{ Object.values($json)[0] }}',
			rightValue: 1,
			operator: { type: 'number', operation: 'equals' },
		}),
	],
};

/** Embedded is for one process, and refused where n8n has workers. */
export const ours: Contestant[] = [
	oursOn('embedded', ['regular']),
	oursOn('Postgres', BOTH),
	oursOn('Redis', BOTH),
];

function oursOn(store: 'embedded' | 'Postgres' | 'Redis', modes: Mode[]): Contestant {
	return {
		name: `Claim Event on ${store}`,
		means:
			"ours: Derive Key from `{{ $json.id }}`, then Claim Event with its defaults and 'Answer Webhook for Duplicates'",
		kind: 'ours',
		modes,
		nodes: [
			{
				name: 'Derive Key',
				type: 'n8n-nodes-idempotency.deriveKey',
				typeVersion: 1,
				parameters: { source: 'field', value: EVENT_ID },
			},
			{
				name: 'Claim Event',
				type: 'n8n-nodes-idempotency.claimEvent',
				typeVersion: 1,
				credential: { type: 'idempotencyLedgerApi', name: `ledger on ${store}` },
				parameters: { operation: 'claimEvent', options: { answerWebhook: true } },
			},
		],
	};
}

function filter(condition: INodeParameters): Middle {
	return {
		name: 'Filter',
		type: 'n8n-nodes-base.filter',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				combinator: 'and',
				conditions: [condition],
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			},
		},
	};
}
