import { operations, type ResourceProperties, show } from './shared';

export const importProperties: ResourceProperties = {
	operation: operations(
		'import',
		[
			{
				name: 'Import as Done',
				value: 'importDone',
				action: 'Import an event as done',
				description: 'Record what was handled elsewhere, so that it is never run here',
			},
			{
				name: 'Reconcile',
				value: 'reconcile',
				action: 'Reconcile a list with the ledger',
				description: 'Compare all items with the ledger: missing, unfinished, extra',
			},
		],
		'importDone',
	),
	fields: [
		{
			displayName: 'Find Extra',
			name: 'findExtra',
			type: 'boolean',
			default: true,
			description:
				'Whether to also give out events that the ledger has and the items have not. Reads all events of the namespace.',
			...show('import', 'reconcile'),
		},
		{
			displayName: 'Include Matching',
			name: 'includeMatching',
			type: 'boolean',
			default: false,
			description: 'Whether to also give out what is done in the ledger, as it should be',
			...show('import', 'reconcile'),
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			...show('import', 'importDone'),
			options: [
				{
					displayName: 'Done At',
					name: 'doneAt',
					type: 'dateTime',
					default: '',
					description: 'When it was done. By default now.',
				},
				{
					displayName: 'External ID',
					name: 'externalId',
					type: 'string',
					default: '',
					description: 'What the other system calls the thing that was made there',
				},
				{
					displayName: 'Result',
					name: 'result',
					type: 'json',
					default: '',
					description: 'What every repeat of the event gets',
				},
				{
					displayName: 'Retention (Days)',
					name: 'retentionDays',
					type: 'number',
					typeOptions: { minValue: 0.001, numberPrecision: 3 },
					default: 30,
					description: 'How long it is remembered, from now on',
				},
			],
		},
	],
};
