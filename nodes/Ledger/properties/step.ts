import { operations, type ResourceProperties, show } from './shared';

export const stepProperties: ResourceProperties = {
	operation: operations(
		'step',
		[
			{ name: 'Get Many', value: 'getMany', action: 'Get many steps of an event' },
			{
				name: 'Get Steps to Undo',
				value: 'getUndos',
				action: 'Get the steps of an event to undo',
				description:
					'Finished steps that said how to undo them, the newest first, until they are marked undone',
			},
			{
				name: 'Mark Undone',
				value: 'markUndone',
				action: 'Mark a step undone',
				description: 'Its effect was taken back. It may be run again.',
			},
		],
		'getMany',
	),
	fields: [
		{
			displayName: 'Step Name',
			name: 'step',
			type: 'string',
			required: true,
			default: '={{ $json.step?.name }}',
			description:
				"The step that was undone. By default the one that 'Get Steps to Undo' gave out.",
			...show('step', 'markUndone'),
		},
		{
			displayName: 'Hand Out Again After (Minutes)',
			name: 'visibilityMinutes',
			type: 'number',
			typeOptions: { minValue: 0.01, numberPrecision: 2 },
			default: 15,
			description:
				'When steps that were not marked undone are handed out once more. A run that took the event over gets them at once.',
			...show('step', 'getUndos'),
		},
	],
};
