import { deriveKey } from '../../../keys/deriveKey';
import { detectSender } from '../../../keys/detect';
import { eventsOf, splitBatch } from '../../../keys/splitBatch';

const places = ['entry.changes.value.messages', 'entry.changes.value.statuses'];
const whatsapp = {
	object: 'whatsapp_business_account',
	entry: [
		{
			id: 'WABA',
			changes: [
				{ field: 'messages', value: { metadata: 1, messages: [{ id: 'a' }, { id: 'b' }] } },
				{ field: 'messages', value: { metadata: 2, statuses: [{ id: 'a', status: 'read' }] } },
			],
		},
	],
};

describe('splitBatch', () => {
	it('finds the events in a list, in a field, and in lists of lists', () => {
		expect(eventsOf([{ a: 1 }, { a: 2 }], [''])).toEqual([{ a: 1 }, { a: 2 }]);
		expect(eventsOf({ events: [{ a: 1 }] }, ['events'])).toEqual([{ a: 1 }]);
		expect(eventsOf(whatsapp, places)).toEqual([
			{ id: 'a' },
			{ id: 'b' },
			{ id: 'a', status: 'read' },
		]);
		expect(eventsOf({ list: [{ Item: { a: 1 } }, { Item: { a: 2 } }] }, ['list.Item'])).toEqual([
			{ a: 1 },
			{ a: 2 },
		]);
	});

	it('finds none where there is no list', () => {
		expect(eventsOf({ a: 1 }, ['', 'events'])).toEqual([]);
		expect(eventsOf(undefined, ['', 'events'])).toEqual([]);
		expect(eventsOf({ events: [] }, ['events'])).toEqual([]);
	});

	it('keeps the form of the request, with one event in each part', () => {
		expect(splitBatch([{ a: 1 }, { a: 2 }], [''])).toEqual([[{ a: 1 }], [{ a: 2 }]]);
		expect(splitBatch({ id: 'd', events: [{ a: 1 }, { a: 2 }] }, ['events'])).toEqual([
			{ id: 'd', events: [{ a: 1 }] },
			{ id: 'd', events: [{ a: 2 }] },
		]);
	});

	it('splits lists within lists, and does not mix kinds of events', () => {
		const before = structuredClone(whatsapp);
		const parts = splitBatch(whatsapp, places);
		expect(parts.map((part) => eventsOf(part, places))).toEqual([
			[{ id: 'a' }],
			[{ id: 'b' }],
			[{ id: 'a', status: 'read' }],
		]);
		expect(parts[1]).toEqual({
			object: 'whatsapp_business_account',
			entry: [
				{
					id: 'WABA',
					changes: [{ field: 'messages', value: { metadata: 1, messages: [{ id: 'b' }] } }],
				},
			],
		});
		expect(whatsapp).toEqual(before);
	});

	it.each([
		['HubSpot', [1, 2, 3].map((n) => hubspot(n))],
		['SendGrid', [1, 2, 3].map((n) => ({ sg_event_id: `sg${n}`, event: 'open' }))],
		['Kit', { delivery_id: 'd', events: [1, 2, 3].map((n) => ({ id: `e${n}`, data: {} })) }],
	])('%s: every event of a batch has a key of its own', (_sender, body) => {
		const found = detectSender({ headers: {}, body });
		expect(found?.events).toBe(3);
		const keys = splitBatch(body, found?.preset.batch ?? []).map((part) => {
			const event = detectSender({ headers: {}, body: part });
			return event && deriveKey(event.preset.id, event.components).key;
		});
		expect(new Set(keys).size).toBe(3);
		expect(keys).not.toContain(undefined);
	});
});

function hubspot(eventId: number) {
	return {
		eventId,
		portalId: 1,
		subscriptionId: 2,
		subscriptionType: 'contact.creation',
		objectId: 3,
		occurredAt: 4,
	};
}
