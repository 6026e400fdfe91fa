import { listFields } from './event';
import { operations, type ResourceProperties, show } from './shared';

const whenDone = {
	displayOptions: {
		show: { resource: ['review'], operation: ['resolve'], decision: ['done'] },
	},
};

export const reviewProperties: ResourceProperties = {
	operation: operations(
		'review',
		[
			{
				name: 'Get Many',
				value: 'getMany',
				action: 'Get many events that need review',
				description: 'What waits for a person, longest first',
			},
			{
				name: 'Resolve',
				value: 'resolve',
				action: 'Resolve a review',
				description: 'Decide what becomes of an event. The first decision holds.',
			},
		],
		'getMany',
	),
	fields: [
		{
			displayName: 'Decision',
			name: 'decision',
			type: 'options',
			options: [
				{
					name: 'Give Up',
					value: 'giveUp',
					description: 'It is not to be done. Repeats are told so.',
				},
				{
					name: 'Mark as Done',
					value: 'done',
					description: 'It happened, as somebody has looked up',
				},
				{
					name: 'Run Again',
					value: 'runAgain',
					description: 'The Ledger Trigger of its workflow gets it, with all attempts anew',
				},
			],
			default: 'done',
			...show('review', 'resolve'),
		},
		{
			displayName: 'External ID',
			name: 'externalId',
			type: 'string',
			default: '',
			description: 'What the other system calls the thing that was made there',
			...whenDone,
		},
		{
			displayName: 'Result',
			name: 'result',
			type: 'json',
			default: '',
			description: 'What every repeat of the event gets',
			...whenDone,
		},
		...listFields('review'),
	],
};
