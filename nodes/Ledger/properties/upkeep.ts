import { operations, type ResourceProperties, show } from './shared';

export const upkeepProperties: ResourceProperties = {
	operation: operations(
		'upkeep',
		[
			{
				name: 'Check',
				value: 'check',
				action: 'Check the ledger',
				description: 'Look at the store and say what is wrong with its settings',
			},
			{
				name: 'Purge Expired',
				value: 'purge',
				action: 'Purge expired events',
				description: 'Remove finished events whose retention is over, a few at a time',
			},
		],
		'purge',
	),
	fields: [
		{
			displayName: 'Max Events',
			name: 'maxEvents',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100000,
			description: 'How many to remove at most in this run',
			...show('upkeep', 'purge'),
		},
	],
};
