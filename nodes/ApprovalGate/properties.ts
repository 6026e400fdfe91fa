import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Ask and Wait',
				// n8n signs the links of nodes with this operation, and makes the human review step of AI agents out of them.
				value: 'sendAndWait',
				action: 'Ask for approval and wait',
				description: 'Pause until a person has decided, then continue by the decision',
			},
			{
				name: 'Request',
				value: 'request',
				action: 'Request an approval without waiting',
				description:
					'Create the request and return its link, to be sent by a node of your choice. An Approval Gate with the same settings waits for the decision.',
			},
			{
				name: 'Serve Page',
				value: 'servePage',
				action: 'Serve the approval page',
				description:
					"Between a Webhook and a Respond to Webhook node: a permanent address for the links, given as 'Page URL' to the other nodes",
			},
		],
		default: 'sendAndWait',
	},
	{
		displayName: 'Visit',
		name: 'visit',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Decide (POST)',
				value: 'decide',
				description: 'Behind the POST output of the Webhook node',
			},
			{
				name: 'Show (GET)',
				value: 'show',
				description: 'Behind the GET output of the Webhook node',
			},
		],
		default: 'show',
		description: 'Which requests come here. Those that show never decide.',
		displayOptions: { show: { operation: ['servePage'] } },
	},
	{
		displayName: 'Gate',
		name: 'gate',
		type: 'string',
		required: true,
		default: 'approval',
		description:
			'Names this decision within its event. Every event is asked for once per gate, and the decision is remembered.',
		displayOptions: { hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		required: true,
		default: 'Approval needed',
		placeholder: 'e.g. Refund of order {{ $json.orderNumber }}',
		displayOptions: { hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. **{{ $json.customer }}** asks for money back: {{ $json.reason }}',
		description:
			'What has to be known to decide. Bold, italic, lists, links and code in Markdown are shown; HTML is not. A time that changes with every run makes it a new question every time.',
		displayOptions: { hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.amount }} {{ $json.currency }}',
		description: 'Shown in large letters',
		displayOptions: { hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Fields to Show',
		name: 'fields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Field',
		default: {},
		description:
			'Shown as a table. A decision is about what was shown and nothing else: when it changes, it is asked anew. Without a message and fields, the whole item is shown.',
		displayOptions: { hide: { operation: ['servePage'] } },
		options: [
			{
				displayName: 'Field',
				name: 'values',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '' },
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. {{ $json.customer }}',
					},
				],
			},
		],
	},
	{
		displayName: 'Who Decides',
		name: 'whoDecides',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Anyone with the Link',
				value: 'anyone',
				description: 'They have to give a name, which nobody checks',
			},
			{
				name: 'A List of Approvers',
				value: 'list',
				description: 'Each with a link of their own. More than one may have to approve.',
			},
		],
		default: 'anyone',
		displayOptions: { hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Approvers',
		name: 'approvers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Approver',
		default: {},
		displayOptions: { show: { whoDecides: ['list'] }, hide: { operation: ['servePage'] } },
		options: [
			{
				displayName: 'Approver',
				name: 'values',
				values: [
					{
						displayName: 'Incoming Webhook',
						name: 'webhookUrl',
						type: 'string',
						default: '',
						description:
							"Where to tell this person, in the format of 'Notify Approvers'. Optional.",
					},
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. olga@example.com',
						description: 'Under which the decision is recorded',
					},
					{
						displayName: 'PIN',
						name: 'pin',
						type: 'string',
						typeOptions: { password: true },
						default: '',
						description:
							'What this person has to type besides. Optional. The ledger keeps a salted hash of it.',
					},
				],
			},
		],
	},
	{
		displayName: 'Approvals Needed',
		name: 'required',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 1,
		description: 'How many of the approvers have to approve. One rejection rejects.',
		displayOptions: { show: { whoDecides: ['list'] }, hide: { operation: ['servePage'] } },
	},
	{
		displayName: 'Notify Approvers',
		name: 'notify',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Discord Webhook', value: 'discord' },
			{ name: 'JSON to Any URL', value: 'json' },
			{ name: 'Mattermost Webhook', value: 'mattermost' },
			{ name: 'Microsoft Teams Webhook', value: 'teams' },
			{ name: "No, I Use 'Request' and Another Node", value: 'none' },
			{ name: 'Slack Webhook', value: 'slack' },
		],
		default: 'none',
		description: 'Where to post the approval link. Sent once per request.',
		displayOptions: { show: { operation: ['sendAndWait'] } },
	},
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		placeholder: 'e.g. https://hooks.slack.com/services/…',
		description:
			'The incoming webhook. With a list of approvers it gets all their links: give each a webhook of their own if they must not see the links of others.',
		displayOptions: { show: { operation: ['sendAndWait'] }, hide: { notify: ['none'] } },
	},
	{
		displayName:
			"Put this node between a Webhook node (GET and POST, respond 'Using Respond to Webhook Node') and a Respond to Webhook node that answers with the text, code and headers of this node's output. Example 6 shows it.",
		name: 'servePageNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: ['servePage'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { hide: { operation: ['servePage'] } },
		options: [
			{
				displayName: 'Approved Content',
				name: 'approvedContent',
				type: 'json',
				default: '',
				placeholder: 'e.g. {{ { charge: $json.charge, amount: $json.amount } }}',
				description:
					"What an approval lets through, shown on the page too. A Guarded HTTP Request with the option 'Require Approval' sends nothing else: give it here as that node will send it.",
			},
			{
				displayName: 'Comment Needed to Reject',
				name: 'commentOnRejection',
				type: 'boolean',
				default: false,
				description: 'Whether a rejection has to say why',
			},
			{
				displayName: 'Expires After (Hours)',
				name: 'expiresAfterHours',
				type: 'number',
				typeOptions: { minValue: 0.02, numberPrecision: 2 },
				default: 72,
				description:
					"After that time without a decision the item leaves through 'Not Approved'. Without this option the request stays open.",
			},
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.refundId }}',
				description:
					'What identifies the thing to approve, the same on every run. Found by itself behind a Claim Event node.',
			},
			{
				displayName: 'Links',
				name: 'links',
				type: 'options',
				options: [
					{
						name: 'One Page for All Items',
						value: 'together',
						description: 'All items of this run on one page, to be approved together or one by one',
					},
					{ name: 'One Page per Item', value: 'each' },
				],
				default: 'together',
				description: 'In any case the workflow continues when all items are decided',
			},
			{
				displayName: 'Namespace',
				name: 'namespace',
				type: 'string',
				default: '',
				placeholder: 'e.g. refunds',
				description:
					"The namespace of the 'Key'. Workflows with the same namespace share decisions. Leave empty to keep them to this workflow.",
			},
			{
				displayName: 'Page URL',
				name: 'pageUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://n8n.example.com/webhook/approvals',
				description:
					"The address of a workflow with the operation 'Serve Page'. Links then work at any time: before, during and after the wait, and when the execution is gone.",
			},
			{
				displayName: 'Record Address',
				name: 'recordAddress',
				type: 'boolean',
				default: false,
				description:
					'Whether to keep the network address from which the page was opened and decided in the history',
			},
			{
				displayName: 'Requester',
				name: 'requester',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.requestedBy }}',
				description: 'Who asks for it, and may not approve it',
			},
			{
				displayName: 'Shared Secret',
				name: 'secret',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description:
					"What anyone with the link has to type besides. With a list, give each approver a 'PIN'. The ledger keeps a salted hash of it.",
			},
		],
	},
];
