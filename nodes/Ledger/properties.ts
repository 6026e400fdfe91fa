import type { INodeProperties } from 'n8n-workflow';

import { eventProperties } from './properties/event';
import { importProperties } from './properties/import';
import { reviewProperties } from './properties/review';
import { addressProperties, namespaceProperties, operatorProperties } from './properties/shared';
import { statisticsProperties } from './properties/statistics';
import { stepProperties } from './properties/step';
import { upkeepProperties } from './properties/upkeep';

export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Event', value: 'event' },
			{ name: 'Import', value: 'import' },
			{ name: 'Review', value: 'review' },
			{ name: 'Statistic', value: 'statistics' },
			{ name: 'Step', value: 'step' },
			{ name: 'Upkeep', value: 'upkeep' },
		],
		default: 'event',
	},
	...eventProperties.operation,
	...importProperties.operation,
	...reviewProperties.operation,
	...statisticsProperties.operation,
	...stepProperties.operation,
	...upkeepProperties.operation,
	...operatorProperties,
	...addressProperties,
	...namespaceProperties,
	...reviewProperties.fields,
	...stepProperties.fields,
	...eventProperties.fields,
	...importProperties.fields,
	...statisticsProperties.fields,
	...upkeepProperties.fields,
];
