import { operations, type ResourceProperties, show } from './shared';

export const statisticsProperties: ResourceProperties = {
	operation: operations(
		'statistics',
		[
			{
				name: 'Get',
				value: 'get',
				action: 'Get statistics',
				description: 'Events, duplicates prevented, recovered events, approvals and more',
			},
			{
				name: 'Get Report',
				value: 'getReport',
				action: 'Get a report page',
				description: 'The same as a page with charts, for a webhook to serve',
			},
		],
		'get',
	),
	fields: [
		{
			displayName: 'Days',
			name: 'days',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 3660 },
			default: 30,
			description: 'How many days back, today included',
			...show('statistics', 'get', 'getReport'),
		},
		{
			displayName: 'Split',
			name: 'split',
			type: 'options',
			options: [
				{ name: 'By Day and Namespace', value: 'byDay', description: 'One item each' },
				{ name: 'Not at All', value: 'none', description: 'One item with all figures' },
			],
			default: 'none',
			...show('statistics', 'get'),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: 'Ledger',
			...show('statistics', 'getReport'),
		},
	],
};
