import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { GuardedHttpRequest } from '../../nodes/GuardedHttpRequest/GuardedHttpRequest.node';
import type { Fault } from '../httpServer/FaultServer';
import { idempotency, stored } from './events';
import {
	deliverAgain,
	deliverGuarded,
	GUARDED,
	guarded,
	guardedFlow,
	useServer,
	WITH_KEY,
} from './guarded';
import type { EngineRun } from './harness';
import { onEmbeddedLedger, onEveryLedger } from './ledgers';

const stopHere = { name: 'Stop', type: 'stopAndError' };

const answer = (
	body: string | Buffer,
	headers: Record<string, string> = {},
	status = 200,
): Fault => ({ kind: 'answer', status, headers, body, acts: true });

function pairs(fields: IDataObject): IDataObject {
	return { parameters: Object.entries(fields).map(([name, value]) => ({ name, value })) };
}

onEveryLedger((on) => {
	const at = useServer();

	it('records an answer of 50 MB as done, without its body', async () => {
		at.server.script('big', [answer(JSON.stringify({ id: 7, x: 'y'.repeat(50 * 1024 * 1024) }))]);
		const flow = guardedFlow(guarded(at.server, { options: { timeout: 60_000 } }), stopHere);
		const run = await deliverGuarded(on, flow, [{ id: 'big' }]);
		const [first] = run.json(GUARDED);
		expect(String((first.body as IDataObject).x)).toHaveLength(50 * 1024 * 1024);
		expect(run.hints(GUARDED)[1].message).toMatch(
			/^A repeat will not get the body: The output has 52/,
		);
		const again = await deliverAgain(on, flow, 'big');
		expect(again.json(GUARDED)).toMatchObject([
			{
				statusCode: 200,
				body: null,
				idempotency: {
					replayed: true,
					step: { externalId: '7' },
					bodyNotStored: expect.any(String),
				},
			},
		]);
		expect(at.server.effects('big')).toBe(1);
	});

	it('keeps no secrets: neither headers that prove something, nor what the credential has', async () => {
		const secret = ['long', 'and', 'only', 'for', 'this', 'test'].join('-');
		at.server.script('secret', [
			answer(JSON.stringify({ id: 'x', echo: { sent: `Bearer ${secret}` }, list: [secret] }), {
				'set-cookie': 'session=abc',
				'x-auth-token': 't',
				'x-kept': 'yes',
			}),
		]);
		const flow = guardedFlow(guarded(at.server, { authentication: 'httpBearerAuth' }), stopHere);
		const credentials = { httpBearerAuth: { token: secret } };
		const run = await deliverGuarded(on, flow, [{ id: 'secret' }], { credentials });
		expect(at.server.requests('secret')[0].headers.authorization).toBe(`Bearer ${secret}`);
		const { steps } = await stored(on, flow.id, 'secret');
		expect(JSON.stringify(steps)).not.toContain(secret);
		expect(steps[0].output).toMatchObject({
			headers: { 'x-kept': 'yes' },
			body: { id: 'x', echo: { sent: 'Bearer [secret]' }, list: ['[secret]'] },
		});
		expect(Object.keys((steps[0].output as { headers: object }).headers)).not.toEqual(
			expect.arrayContaining(['set-cookie']),
		);
		expect(JSON.stringify(run.json(GUARDED))).not.toContain(secret);
	});
});

onEmbeddedLedger((on) => {
	const at = useServer();

	async function exchange(id: string, parameters: IDataObject, more: object = {}) {
		const flow = guardedFlow(guarded(at.server, parameters), stopHere);
		const run = await deliverGuarded(on, flow, [{ id, ...more }]);
		return { flow, run, sent: at.server.requests(id, String(parameters.method ?? 'POST'))[0] };
	}

	describe('The request', () => {
		it('has a JSON body without the claim that travels in the item', async () => {
			const { sent } = await exchange('j1', { sendBody: true }, { total: 5 });
			expect(JSON.parse(sent.body.toString())).toEqual({ id: 'j1', total: 5 });
			expect(sent.headers['content-type']).toBe('application/json');
		});

		it.each<[string, IDataObject, string, string]>([
			[
				'fields as JSON',
				{ specifyBody: 'keypair', bodyParameters: pairs({ a: '1', b: 'ü' }) },
				'application/json',
				'{"a":"1","b":"ü"}',
			],
			[
				'a form',
				{ contentType: 'form-urlencoded', bodyParameters: pairs({ a: '1 2', b: '&' }) },
				'application/x-www-form-urlencoded',
				'a=1+2&b=%26',
			],
			[
				'raw text',
				{ contentType: 'raw', rawContentType: 'text/xml', body: ' <a/>\n' },
				'text/xml',
				' <a/>\n',
			],
		])('has %s', async (what, parameters, type, body) => {
			const { sent } = await exchange(`b ${what}`, { sendBody: true, ...parameters });
			expect(sent.headers['content-type']).toBe(type);
			expect(sent.body.toString()).toBe(body);
		});

		it('has query parameters and headers', async () => {
			const { sent } = await exchange('q1', {
				sendQuery: true,
				queryParameters: pairs({ page: '2', '': 'none' }),
				sendHeaders: true,
				headerParameters: pairs({ 'X-Mine': 'yes', 'Content-Type': 'application/vnd.x+json' }),
				sendBody: true,
				jsonBody: '{"a":1}',
			});
			expect(sent.url).toBe('/things?id=q1&page=2');
			expect(sent.headers['x-mine']).toBe('yes');
			expect(sent.headers['content-type']).toBe('application/vnd.x+json');
		});

		it('has files of the item', async () => {
			const data = Buffer.from([0, 1, 2, 255]);
			const binary = {
				data: { data: data.toString('base64'), mimeType: 'image/png', fileName: 'a.png' },
			};
			const flow = (parameters: IDataObject) =>
				guardedFlow(guarded(at.server, { sendBody: true, ...parameters }));
			const keepFile = async (id: string, parameters: IDataObject) => {
				const json = flow(parameters);
				// Claim Event keeps the file of the item.
				await deliverGuarded(on, json, [{ json: { id }, binary } as unknown as IDataObject]);
				return at.server.requests(id)[0];
			};
			const raw = await keepFile('file1', { contentType: 'binaryData' });
			expect(raw.headers['content-type']).toBe('image/png');
			expect(raw.body).toEqual(data);

			const parts = [
				{ name: 'note', value: 'hi' },
				{ parameterType: 'formBinaryData', name: 'upload', inputDataFieldName: 'data' },
			];
			const sent = await keepFile('file2', {
				contentType: 'multipart-form-data',
				bodyParameters: { parameters: parts },
			});
			const type = String(sent.headers['content-type']);
			const form = await new Response(sent.body, { headers: { 'content-type': type } }).formData();
			expect(form.get('note')).toBe('hi');
			expect((form.get('upload') as File).name).toBe('a.png');
			expect(Buffer.from(await (form.get('upload') as File).arrayBuffer())).toEqual(data);
		});

		it('takes what the cURL import of the editor fills in', async () => {
			// As the editor's own import writes it for:
			// curl -L --max-redirs 3 -k 'http://…/things?id=…' -H 'X-A: 1' -d '{"a":{"b":1}}' -H 'Content-Type: application/json'
			const imported = {
				authentication: 'none',
				method: 'POST',
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'X-A', value: '1' }] },
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'id', value: 'curl1' }] },
				sendBody: true,
				contentType: 'json',
				specifyBody: 'json',
				jsonBody: '{\n  "a": {\n    "b": 1\n  }\n}',
				options: {
					redirect: { redirect: { followRedirects: true, maxRedirects: 3 } },
					allowUnauthorizedCerts: true,
				},
			};
			const [address] = at.server.url('').split('?');
			const flow = guardedFlow({
				name: GUARDED,
				type: 'guardedHttpRequest',
				parameters: { url: address, ...imported } as INodeParameters,
			});
			const run = await deliverGuarded(on, flow, [{ id: 'curl' }]);
			expect(run.json(GUARDED)).toMatchObject([{ statusCode: 201 }]);
			const [sent] = at.server.requests('curl1');
			expect(JSON.parse(sent.body.toString())).toEqual({ a: { b: 1 } });
			expect(sent.headers['x-a']).toBe('1');
		});

		it('follows redirects only if told to', async () => {
			const moved: Fault = {
				kind: 'answer',
				status: 307,
				headers: { location: at.server.url('moved') },
			};
			at.server.script('redirect', [moved]);
			const options = { redirect: { redirect: { followRedirects: true } } };
			const { run } = await exchange('redirect', { options });
			expect(run.json(GUARDED)).toMatchObject([{ body: { id: 'thing-moved' } }]);
		});

		it('carries a key as the destination takes it', async () => {
			const sent = async (id: string, parameters: IDataObject) =>
				(await exchange(id, { ...WITH_KEY, ...parameters })).sent;
			const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
			const named = await sent('k1', { keyName: 'X-Request-Id', keyEncoding: 'uuid' });
			expect(named.headers['x-request-id']).toMatch(uuid);
			const quoted = await sent('k2', { options: { quoteKey: true } });
			expect(quoted.headers['idempotency-key']).toMatch(/^"[0-9a-f]{64}"$/);
			const inQuery = await sent('k3', {
				keyPlace: 'query',
				keyName: 'requestid',
				keyEncoding: 'hex32',
			});
			expect(inQuery.url).toMatch(/^\/things\?id=k3&requestid=[0-9a-f]{32}$/);
			const body = { sendBody: true, jsonBody: '{"a":1}' };
			const inBody = await sent('k4', {
				...body,
				keyPlace: 'body',
				keyName: 'nonce',
				keyEncoding: 'base62',
			});
			expect(JSON.parse(inBody.body.toString())).toMatchObject({
				a: 1,
				nonce: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
			});
			const none = await exchange('k5', { outgoingKey: 'none' });
			expect(none.sent.headers['idempotency-key']).toBeUndefined();
			const preset = await exchange('k6', { ...body, outgoingKey: 'provider', provider: 'square' });
			expect(JSON.parse(preset.sent.body.toString())).toMatchObject({
				idempotency_key: expect.stringMatching(uuid),
			});
		});
	});

	describe('The answer', () => {
		it.each<[string, Fault, IDataObject, unknown]>([
			[
				'JSON of another type',
				answer('{"a":1}', { 'content-type': 'application/vnd.api+json' }),
				{},
				{ a: 1 },
			],
			['text', answer('hello', { 'content-type': 'text/plain' }), {}, 'hello'],
			[
				'text in another charset',
				answer(Buffer.from([0xfc]), { 'content-type': 'text/plain; charset=iso-8859-1' }),
				{},
				'ü',
			],
			[
				'JSON that calls itself text',
				answer('{"a":1}', { 'content-type': 'text/html' }),
				{ responseFormat: 'json' },
				{ a: 1 },
			],
			['JSON as text', answer('{"a":1}'), { responseFormat: 'text' }, '{"a":1}'],
			['HTML that calls itself JSON', answer('<h1>Oops</h1>'), {}, '<h1>Oops</h1>'],
			['nothing', answer('', {}, 204), {}, null],
			['a list', answer('[1,2]'), {}, [1, 2]],
		])('of %s', async (what, fault, response, body) => {
			at.server.script(`a ${what}`, [fault]);
			const { run, flow } = await exchange(`a ${what}`, { options: { response: { response } } });
			expect(run.json(GUARDED)[0].body).toEqual(body);
			const again = await deliverAgain(on, flow, `a ${what}`);
			expect(again.json(GUARDED)[0].body).toEqual(body);
			expect(again.json(GUARDED)[0]).not.toHaveProperty('error');
		});

		it('says so if it is not what it should be', async () => {
			at.server.script('wrong', [answer('<h1>Oops</h1>')]);
			const { run } = await exchange('wrong', {});
			expect(run.hints(GUARDED)[1].message).toBe(
				'The body is not valid JSON and is given out as text',
			);
		});

		it('may be a file, which only the first run gets', async () => {
			const file = Buffer.from([1, 2, 3, 250]);
			const headers = {
				'content-type': 'application/pdf',
				'content-disposition': 'attachment; filename="a.pdf"',
			};
			at.server.script('pdf', [answer(file, headers)]);
			const { run, flow } = await exchange('pdf', {});
			const [{ json, binary }] = run.items(GUARDED);
			expect(json.body).toBeNull();
			expect(Buffer.from(binary!.data.data, 'base64')).toEqual(file);
			expect(binary!.data).toMatchObject({ fileName: 'a.pdf', mimeType: 'application/pdf' });
			const [again] = (await deliverAgain(on, flow, 'pdf')).items(GUARDED);
			expect(again.binary).toBeUndefined();
			expect(again.json.idempotency).toMatchObject({
				replayed: true,
				file: { fileName: 'a.pdf', mimeType: 'application/pdf', bytes: 4 },
				bodyNotStored: 'Files are not stored',
			});
		});

		it.each<[string, IDataObject, unknown]>([
			[
				'chosen fields',
				{ store: 'fields', storeFields: 'id, card.last4, missing' },
				{ id: 'ch_1', card: { last4: '4242' } },
			],
			['only the external ID', { store: 'id' }, null],
		])('is kept as %s, and given out as it is kept', async (what, parameters, body) => {
			const full = { id: 'ch_1', card: { last4: '4242', name: 'Ann' }, email: 'ann@x.example' };
			at.server.script(what, [answer(JSON.stringify(full), { 'x-a': '1' })]);
			const { run, flow } = await exchange(what, parameters);
			const given = (found: EngineRun) => {
				const { statusCode, headers, body: shown } = found.json(GUARDED)[0];
				const [{ step }] = idempotency(found, GUARDED);
				return { statusCode, headers, body: shown, externalId: (step as IDataObject).externalId };
			};
			expect(given(run)).toEqual({ statusCode: 200, headers: {}, body, externalId: 'ch_1' });
			expect(given(await deliverAgain(on, flow, what))).toEqual(given(run));
			const { steps } = await stored(on, flow.id, what);
			expect(JSON.stringify(steps)).not.toContain('ann');
		});

		it('has its external ID where the user says', async () => {
			at.server.script('xid', [answer('{"data":{"number":42}}')]);
			const { run } = await exchange('xid', { options: { externalIdField: 'data.number' } });
			expect(idempotency(run, GUARDED)).toMatchObject([{ step: { externalId: '42' } }]);
		});
	});

	it('compares what is asked for, not how it is written', async () => {
		const { flow } = await exchange('same', {
			sendBody: true,
			jsonBody: '{"b":1,"a":{"d":1,"c":2}}',
		});
		const [node] = flow.nodes.filter(({ name }) => name === GUARDED);
		node.parameters.jsonBody = '{ "a": {"c":2,"d":1.0}, "b": 1 }';
		const again = await deliverAgain(on, flow, 'same');
		expect(idempotency(again, GUARDED)).toMatchObject([{ replayed: true }]);
		node.parameters.jsonBody = '{ "a": {"c":2,"d":"1"}, "b": 1 }';
		const other = await deliverAgain(on, flow, 'same');
		expect(idempotency(other, GUARDED, 1)).toMatchObject([{ outcome: 'conflict' }]);
	});

	it('tells an agent what became of it, on the one output that it hears', async () => {
		const asTool = new GuardedHttpRequest();
		asTool.description = { ...asTool.description, name: 'guardedHttpRequestTool' };
		at.server.script('tool2', [{ kind: 'dropAfter' }]);
		const tool = guarded(at.server, {}, { type: 'guardedHttpRequestTool' });
		const items = [{ id: 'tool1' }, { id: 'tool2' }];
		const run = await deliverGuarded(on, guardedFlow(tool), items, { nodes: [asTool] });
		expect(run.json(GUARDED)).toMatchObject([
			{ outcome: 'sent', statusCode: 201, body: { id: 'thing-tool1' } },
			{ outcome: 'in_doubt', reason: expect.stringContaining('Nobody knows') },
		]);
		expect(JSON.stringify(run.json(GUARDED))).not.toContain('token');
	});
});
