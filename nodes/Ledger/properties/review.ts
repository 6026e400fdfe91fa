import { listFields } from './event';
import { operations, type ResourceProperties, show } from './shared';

const whenDone = {
	displayOptions: {
		show: { resource: ['review'], operation: ['resolve'], decision: ['done'] },
	},
};

const whenHappened = {
	displayOptions: {
		show: { resource: ['review'], operation: ['resolveStep'], resolution: ['happened'] },
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
			{
				name: 'Resolve Step',
				value: 'resolveStep',
				action: 'Resolve a step in doubt',
				description:
					'Say whether a step that was cut off happened, so that the event can be run again',
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
		{
			displayName: 'Step Name',
			name: 'step',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. invoice',
			description: 'The step in doubt, as the reason of the review names it',
			...show('review', 'resolveStep'),
		},
		{
			displayName: 'What Was Found Out',
			name: 'resolution',
			type: 'options',
			options: [
				{
					name: 'It Did Not Happen',
					value: 'did_not_happen',
					description: 'The step is run when the event is run again',
				},
				{
					name: 'It Happened',
					value: 'happened',
					description: 'The step is done, and is not run again',
				},
			],
			default: 'happened',
			...show('review', 'resolveStep'),
		},
		{
			displayName: 'External ID',
			name: 'externalId',
			type: 'string',
			default: '',
			description: 'What the other system calls the thing that was made there',
			...whenHappened,
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'json',
			default: '',
			description: 'What a repeat of the step gets',
			...whenHappened,
		},
		...listFields('review'),
	],
};
