import { stored } from './events';
import { deliverGuarded, guarded, guardedFlow, useServer } from './guarded';
import { onEmbeddedLedger } from './ledgers';

onEmbeddedLedger((on) => {
	const at = useServer();

	it.each([
		[{ url: '={{ "" }}' }, "The 'URL' is empty"],
		[{ url: 'ftp://x.example' }, "'ftp://x.example' is not a URL of the web"],
		[{ sendBody: true, jsonBody: '{ "a": ' }, "The 'JSON' of the body is not valid JSON"],
		[{ method: 'GET', sendBody: true }, 'A GET request has no body: n8n would leave it out'],
		[{ store: 'fields' }, "'Fields' is empty"],
		[{ outgoingKey: 'custom', keyName: '' }, "The 'Name of the Key' is empty"],
		[{ lookUp: true }, "The 'Look-Up URL' is empty"],
		[
			{ lookUp: true, lookUpUrl: 'http://x.example/{idempotencyKey}', outgoingKey: 'none' },
			"The 'Look-Up URL' asks for the outgoing key, and none is sent",
		],
		[{ sendBody: true, jsonBody: '={{ $json.missing }}' }, "The 'JSON' of the body is empty"],
		[{ options: { maxAttempts: 0 } }, /^The 'Max Attempts' is 0/],
		[{ options: { timeout: 'soon' } }, /^The 'Timeout' is soon/],
		[{ options: { backoffSeconds: -1 } }, /^The 'Backoff' is -1000/],
		[{ options: { proxy: 'nowhere' } }, "The proxy 'nowhere' is not a URL"],
		[{ outgoingKey: 'provider', provider: 'square' }, /^The outgoing key belongs into the field/],
		[
			{
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'Idempotency-Key', value: '1' }] },
			},
			"The header 'Idempotency-Key' is set, and this node sets it itself",
		],
	])('refuses %j before anything is begun', async (parameters, message) => {
		const flow = guardedFlow(guarded(at.server, parameters));
		const run = await deliverGuarded(on, flow, [{ id: 'i1' }]);
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toBeTruthy();
		expect(run.error?.context?.itemIndex).toBe(0);
		expect((await stored(on, flow.id, 'i1')).steps).toEqual([]);
	});

	it.each([
		[{ concurrency: 0 }, /^The 'Concurrency' is 0/],
		[{ requestsPerSecond: 'many' }, /^The 'Requests per Second' is many/],
	])('refuses %j for all items', async (options, message) => {
		const run = await deliverGuarded(on, guardedFlow(guarded(at.server, { options })), [
			{ id: 'o1' },
		]);
		expect(run.error?.message).toMatch(message);
		expect(at.server.requests('o1')).toEqual([]);
	});
});
