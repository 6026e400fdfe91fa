import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Fault } from '../httpServer/FaultServer';
import { stored } from './events';
import { deliverGuarded, GUARDED, guarded, guardedFlow, useServer } from './guarded';
import { onEmbeddedLedger } from './ledgers';

const folder = join(__dirname, '../servers/tls');
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8');

onEmbeddedLedger((on) => {
	const at = useServer();

	async function sendWith(
		id: string,
		type: string,
		credential: ICredentialDataDecryptedObject,
		parameters: IDataObject = {},
	) {
		const flow = guardedFlow(guarded(at.server, { authentication: type, ...parameters }));
		const run = await deliverGuarded(on, flow, [{ id }], { credentials: { [type]: credential } });
		return { flow, run, sent: at.server.requests(id)[0] };
	}

	it('sends what each type of credential says', async () => {
		const basic = await sendWith('basic', 'httpBasicAuth', { user: 'ann', password: 'secret1' });
		expect(basic.sent.headers.authorization).toBe(
			`Basic ${Buffer.from('ann:secret1').toString('base64')}`,
		);
		const bearer = await sendWith('bearer', 'httpBearerAuth', { token: 'secret2' });
		expect(bearer.sent.headers.authorization).toBe('Bearer secret2');
		const header = await sendWith('header', 'httpHeaderAuth', { name: 'X-Key', value: 'secret3' });
		expect(header.sent.headers['x-key']).toBe('secret3');
		const query = await sendWith('query', 'httpQueryAuth', { name: 'key', value: 'secret4' });
		expect(query.sent.url).toBe('/things?id=query&key=secret4');
		const json = '{"headers":{"X-A":"secret5"},"qs":{"b":"secret6"},"body":{"c":"secret7"}}';
		const custom = await sendWith(
			'custom',
			'httpCustomAuth',
			{ json },
			{ sendBody: true, jsonBody: '{"d":1}' },
		);
		expect(custom.sent.headers['x-a']).toBe('secret5');
		expect(custom.sent.url).toBe('/things?id=custom&b=secret6');
		expect(JSON.parse(custom.sent.body.toString())).toEqual({ c: 'secret7', d: 1 });

		const alone = await sendWith('alone', 'httpCustomAuth', { json });
		expect(JSON.parse(alone.sent.body.toString())).toEqual({ c: 'secret7' });
		const raw = { sendBody: true, contentType: 'raw', body: 'x' };
		const nowhere = await sendWith('nowhere', 'httpCustomAuth', { json }, raw);
		expect(nowhere.run.error?.description).toMatch(/^It did not happen\. .*the body has no fields/);

		// None of it is written down, and none of it is part of what is compared or of what comes out.
		for (const { flow, run } of [basic, bearer, header, query, custom]) {
			expect(run.json(GUARDED)).toHaveLength(1);
			const [{ key }] = run
				.json('Claim Event')
				.map(({ idempotency }) => idempotency as { key: string });
			const record = JSON.stringify([await stored(on, flow.id, key), run.json(GUARDED)]);
			expect(record).not.toMatch(/secret\d/);
		}
	});

	it('signs with OAuth1 and keeps its key', async () => {
		const { sent } = await sendWith('oauth1', 'oAuth1Api', {
			consumerKey: 'c',
			consumerSecret: 'cs',
			signatureMethod: 'HMAC-SHA256',
			oauthTokenData: { oauth_token: 't', oauth_token_secret: 'ts' },
		});
		expect(sent.headers.authorization).toMatch(
			/^OAuth oauth_consumer_key="c", .*oauth_signature="/,
		);
		expect(sent.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
		const { run } = await sendWith('oauth1b', 'oAuth1Api', { consumerKey: 'c' });
		expect(run.error?.message).toBe('The OAuth1 credential is not connected');
	});

	it('sends with OAuth2, all kinds of bodies, and keeps its key', async () => {
		const credential = {
			clientId: 'c',
			clientSecret: 'cs',
			accessTokenUrl: 'http://127.0.0.1:9/token',
			grantType: 'authorizationCode',
			oauthTokenData: { access_token: 'token-1', token_type: 'bearer' },
		};
		const json = await sendWith('oauth2', 'oAuth2Api', credential, {
			sendBody: true,
			jsonBody: '{"d":1}',
		});
		expect(json.run.json(GUARDED)).toMatchObject([
			{ statusCode: 201, body: { id: 'thing-oauth2' } },
		]);
		expect(json.sent.headers.authorization).toBe('Bearer token-1');
		expect(json.sent.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
		expect(JSON.parse(json.sent.body.toString())).toEqual({ d: 1 });
		const parameters = [
			{ name: 'note', value: 'hi' },
			{ name: 'note', value: 'ho' },
		];
		const parts = await sendWith('oauth2b', 'oAuth2Api', credential, {
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: { parameters },
		});
		const type = String(parts.sent.headers['content-type']);
		const form = await new Response(parts.sent.body, {
			headers: { 'content-type': type },
		}).formData();
		expect(form.getAll('note')).toEqual(['hi', 'ho']);

		at.server.script('oauth2c', [{ kind: 'answer', status: 500 }]);
		const failing = await sendWith('oauth2c', 'oAuth2Api', credential);
		expect(failing.run.json(GUARDED, 1)).toHaveLength(1);
		at.server.script('oauth2d', [{ kind: 'dropAfter' }]);
		const lost = await sendWith('oauth2d', 'oAuth2Api', credential);
		expect(lost.run.json(GUARDED, 1)).toHaveLength(1);
		expect(at.server.requests('oauth2d')).toHaveLength(1);
	});

	it('counts a token that n8n renews as one attempt, and one that it cannot as not sent', async () => {
		const tokens = createHttpServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"access_token":"token-2","token_type":"bearer"}');
		}).listen(0, '127.0.0.1');
		await once(tokens, 'listening');
		const credential = (port: number) => ({
			clientId: 'c',
			clientSecret: 'cs',
			accessTokenUrl: `http://127.0.0.1:${port}/token`,
			grantType: 'clientCredentials',
			oauthTokenData: { access_token: 'token-1', token_type: 'bearer' },
		});
		const refusal: Fault = { kind: 'answer', status: 401 };
		at.server.script('renewed', [refusal]);
		const { port } = tokens.address() as AddressInfo;
		const { run, flow } = await sendWith('renewed', 'oAuth2Api', credential(port));
		expect(run.json(GUARDED)).toMatchObject([{ statusCode: 201 }]);
		const sent = at.server.requests('renewed').map(({ headers }) => headers.authorization);
		expect(sent).toEqual(['Bearer token-1', 'Bearer token-2']);
		expect((await stored(on, flow.id, 'renewed')).steps).toMatchObject([
			{ state: 'done', tries: 1 },
		]);
		tokens.close();

		at.server.script('refused', [refusal, refusal, refusal, refusal]);
		const lost = await sendWith('refused', 'oAuth2Api', credential(9));
		expect(lost.run.error?.description).toMatch(/^It did not happen/);
		expect(at.server.effects('refused')).toBe(0);
		expect((await stored(on, lost.flow.id, 'refused')).steps).toMatchObject([{ state: 'failed' }]);
	});

	it('does not send again after 401', async () => {
		at.server.script('401', [{ kind: 'answer', status: 401 }]);
		const { run, flow } = await sendWith('401', 'httpBearerAuth', { token: 'expired-token' });
		expect(run.error?.message).toBe('The destination answered 401');
		expect(at.server.requests('401')).toHaveLength(1);
		expect((await stored(on, flow.id, '401')).steps).toMatchObject([{ state: 'failed' }]);
	});

	it('answers the challenge of Digest', async () => {
		const md5 = (text: string) => createHash('md5').update(text).digest('hex');
		const seen: string[] = [];
		const server = createHttpServer((request, response) => {
			const { authorization = '' } = request.headers;
			seen.push(authorization);
			const [, given] = /response="(\w+)"/.exec(authorization) ?? [];
			const [, cnonce] = /cnonce="(\w+)"/.exec(authorization) ?? [];
			const [, nc] = /nc="?(\w+)"?/.exec(authorization) ?? [];
			const expected = md5(`${md5('ann:r:pw')}:n:${nc}:${cnonce}:auth:${md5('POST:/d')}`);
			const isRight = given === expected;
			response.writeHead(isRight ? 201 : 401, {
				'content-type': 'application/json',
				'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"',
			});
			response.end('{}');
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/d`;
		const right = await sendWith('d1', 'httpDigestAuth', { user: 'ann', password: 'pw' }, { url });
		expect(right.run.json(GUARDED)).toMatchObject([{ statusCode: 201 }]);
		expect(seen).toHaveLength(2);
		const wrong = await sendWith('d2', 'httpDigestAuth', { user: 'ann', password: 'no' }, { url });
		expect(wrong.run.error?.message).toBe('The destination answered 401');
		server.close();
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['nothing', { allowedHttpRequestDomains: 'none' }],
		[
			'other hosts',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'x.example, *.y.example' },
		],
		['a list that is empty', { allowedHttpRequestDomains: 'domains', allowedDomains: ' ' }],
	])('does not use a credential that is for %s', async (what, restriction) => {
		const credential = { token: 'secret', ...restriction };
		const { run, flow } = await sendWith(what, 'httpBearerAuth', credential);
		expect(run.error?.message).toBe('The credential may not be used for 127.0.0.1');
		expect(at.server.requests(what)).toEqual([]);
		expect((await stored(on, flow.id, what)).steps).toEqual([]);
	});

	it('uses a credential for the hosts that it is for, and takes it to no other', async () => {
		const domains = {
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'x.example, 127.0.0.1',
		};
		const { run } = await sendWith('allowed', 'httpBearerAuth', { token: 'secret', ...domains });
		expect(run.json(GUARDED)).toHaveLength(1);
		const location = at.server.url('elsewhere').replace('127.0.0.1', 'localhost');
		at.server.script('away', [{ kind: 'answer', status: 307, headers: { location } }]);
		const options = { redirect: { redirect: { followRedirects: true } } };
		await sendWith('away', 'httpBearerAuth', { token: 'secret', ...domains }, { options });
		expect(at.server.requests('elsewhere')).toEqual([]);
	});

	it('goes through a proxy', async () => {
		const seen: string[] = [];
		const proxy = createHttpServer((request, response) => {
			seen.push(`${request.headers['proxy-authorization']} ${request.url}`);
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"via":"proxy"}');
		}).listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const { port } = proxy.address() as AddressInfo;
		const options = { proxy: `http://ann:pw@127.0.0.1:${port}` };
		const url = 'http://destination.example/a';
		const run = await deliverGuarded(on, guardedFlow(guarded(at.server, { url, options })), [
			{ id: 'p' },
		]);
		expect(run.json(GUARDED)).toMatchObject([{ body: { via: 'proxy' } }]);
		expect(seen).toEqual([`Basic ${Buffer.from('ann:pw').toString('base64')} ${url}`]);
		proxy.close();
	});

	it('proves itself with a TLS client certificate', async () => {
		const server = createServer(
			{
				key: pem('server.key'),
				cert: pem('server'),
				ca: pem('ca'),
				requestCert: true,
				rejectUnauthorized: false,
			},
			(request, response) => {
				const { subject } = (request.socket as TLSSocket).getPeerCertificate();
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ client: subject?.CN ?? null }));
			},
		).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
		const flow = (parameters: IDataObject) =>
			guardedFlow(guarded(at.server, { url, ...parameters }));
		// As n8n's password fields keep it: in one line.
		const key = pem('client.key').trim().replace(/\n/g, ' ');
		const credentials = {
			httpSslAuth: { ca: pem('ca'), cert: pem('client'), key, passphrase: '' },
		};
		const run = await deliverGuarded(on, flow({ provideSslCertificates: true }), [{ id: 'tls1' }], {
			credentials,
		});
		expect(run.error?.description).toBeUndefined();
		expect(run.json(GUARDED)[0].body).toEqual({ client: expect.any(String) });

		const untrusted = flow({});
		const refused = await deliverGuarded(on, untrusted, [{ id: 'tls2' }]);
		expect(refused.error?.description).toMatch(/^It did not happen\. .*attempt 4: /);
		expect((await stored(on, untrusted.id, 'tls2')).steps).toMatchObject([{ state: 'failed' }]);

		const careless = await deliverGuarded(on, flow({ options: { allowUnauthorizedCerts: true } }), [
			{ id: 'tls3' },
		]);
		expect(careless.json(GUARDED)[0].body).toEqual({ client: null });
		server.close();
	});
});
