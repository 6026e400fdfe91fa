import { call, type Sample } from './types';

const hubspot = {
	eventId: 1,
	subscriptionId: 12,
	portalId: 62515,
	occurredAt: 1794821400000,
	subscriptionType: 'contact.propertyChange',
	attemptNumber: 0,
	objectId: 123,
	propertyName: 'email',
	propertyValue: 'a',
};

const pipedrive = {
	v: 1,
	meta: {
		id: 7,
		object: 'deal',
		action: 'updated',
		webhook_id: 99,
		company_id: 1,
		timestamp: 1794821400,
	},
	retry: 0,
	current: { id: 7 },
};

const intercom = {
	type: 'notification_event',
	id: 'notif_53e2f7',
	topic: 'conversation.user.created',
	data: { item: {} },
	delivery_attempts: 1,
	first_sent_at: 1794821400,
};

const zendesk = { type: 'zen:event-type:user.created', id: '01GP', account_id: 1, detail: {} };
const typeform = {
	event_id: 'LtWXD3crgy',
	event_type: 'form_response',
	form_response: { form_id: 'lT4Z3j', token: 'a3a1', answers: [] },
};

const calendly = {
	event: 'invitee.created',
	created_at: '2026-11-16T09:30:00Z',
	payload: { uri: 'https://api.calendly.com/scheduled_events/A/invitees/B', email: 'a@b.co' },
};

const yousign = {
	event_id: 'y1',
	event_name: 'signature_request.done',
	subscription_id: 's1',
	data: {},
};

export const business: Sample[] = [
	{
		preset: 'hubspot',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:hubspot:62515|12|1|123|1794821400000|email',
		event: call({}, [hubspot]),
		again: { 'body[0].attemptNumber': 1 },
		other: { 'body[0].eventId': 2 },
	},
	{
		preset: 'hubspot',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:hubspot:62515|12|1|123|1794821400000|email',
		event: { ...hubspot, objectId: undefined, contactId: 123 },
		again: { attemptNumber: 3 },
		other: { contactId: 124 },
	},
	{
		preset: 'pipedrive',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:pipedrive:99|deal|updated|7|1794821400',
		event: call({}, pipedrive),
		again: { 'body.retry': 1 },
		other: { 'body.meta.timestamp': 1794821401 },
	},
	{
		preset: 'pipedrive',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:pipedrive:99|deal|updated|7|1794821400',
		event: pipedrive,
		again: { retry: 1 },
		other: { 'meta.id': 8 },
	},
	{
		preset: 'intercom',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:intercom:notif_53e2f7',
		event: call({}, intercom),
		again: { 'body.delivery_attempts': 2, 'body.first_sent_at': 1 },
		other: { 'body.id': 'notif_2' },
	},
	{
		preset: 'intercom',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:intercom:notif_53e2f7',
		event: intercom,
		other: { id: 'notif_2' },
	},
	{
		preset: 'zendesk',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:zendesk:inv1',
		event: call(
			{ 'x-zendesk-webhook-invocation-id': 'inv1', 'x-zendesk-webhook-id': 'cfg' },
			zendesk,
		),
		again: { 'headers.date': 'x' },
		other: { 'headers.x-zendesk-webhook-invocation-id': 'inv2' },
	},
	{
		preset: 'zendesk',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:zendesk:01GP',
		event: zendesk,
		other: { id: '02GP' },
	},
	{
		preset: 'typeform',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:typeform:form_response|a3a1',
		event: call({ 'typeform-signature': 'a' }, typeform),
		again: { 'headers.typeform-signature': 'b' },
		other: { 'body.form_response.token': 'b' },
	},
	{
		preset: 'typeform',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:typeform:form_response|a3a1',
		event: typeform,
		other: { 'form_response.token': 'b' },
	},
	{
		preset: 'calendly',
		variant: 'webhook',
		tier: 'weak',
		key: 'v1:calendly:invitee.created|https://api.calendly.com/scheduled_events/A/invitees/B|2026-11-16T09:30:00Z',
		event: call({ 'calendly-webhook-signature': 'a' }, calendly),
		again: { 'headers.calendly-webhook-signature': 'b' },
		other: { 'body.event': 'invitee.canceled' },
	},
	{
		preset: 'calendly',
		variant: 'trigger',
		tier: 'weak',
		key: 'v1:calendly:invitee.created|https://api.calendly.com/scheduled_events/A/invitees/B|2026-11-16T09:30:00Z',
		event: calendly,
		other: { 'payload.uri': 'https://api.calendly.com/scheduled_events/A/invitees/C' },
	},
	{
		preset: 'pandadoc',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:pandadoc:p1',
		event: call({ 'x-pandadoc-webhook-event-id': 'p1' }, [
			{ event: 'document_state_changed', data: {} },
		]),
		again: { 'headers.date': 'x' },
		other: { 'headers.x-pandadoc-webhook-event-id': 'p2' },
	},
	{
		preset: 'prolific',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:prolific:x1',
		event: call({ 'x-event-id': 'x1', 'x-prolific-request-signature': 'a' }, { status: 'done' }),
		again: { 'headers.x-prolific-request-signature': 'b' },
		other: { 'headers.x-event-id': 'x2' },
	},
	{
		preset: 'yousign',
		variant: 'webhook',
		tier: 'strong',
		key: 'v1:yousign:y1',
		event: call({}, yousign),
		again: { 'headers.date': 'x' },
		other: { 'body.event_id': 'y2' },
	},
	{
		preset: 'yousign',
		variant: 'trigger',
		tier: 'strong',
		key: 'v1:yousign:y1',
		event: yousign,
		other: { event_id: 'y2' },
	},
];
