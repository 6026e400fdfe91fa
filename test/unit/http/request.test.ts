import { multipart } from '../../../http/multipart';
import { oauth1Header } from '../../../http/oauth1';
import { type Body, encodeBody, fullUrl, readableUrl } from '../../../http/request';

describe('A body is encoded', () => {
	it.each<[string, Body, string, string | Buffer]>([
		['as JSON', { kind: 'json', value: { a: 'ü' } }, 'application/json', '{"a":"ü"}'],
		[
			'as a form',
			{
				kind: 'form',
				fields: [
					['a', '1 &'],
					['a', '2'],
				],
			},
			'application/x-www-form-urlencoded',
			'a=1+%26&a=2',
		],
		['as it is', { kind: 'raw', text: '<a/>', contentType: 'text/xml' }, 'text/xml', '<a/>'],
		[
			'from a file',
			{ kind: 'bytes', bytes: Buffer.from([0, 255]), contentType: 'image/png' },
			'image/png',
			Buffer.from([0, 255]),
		],
	])('%s', (_how, body, contentType, content) => {
		expect(encodeBody(body, 'seed')).toEqual({ contentType, content });
	});

	it('in parts, the same on every attempt', async () => {
		const parts = [
			{ name: 'note "1"\r\n', content: 'hellö' },
			{
				name: 'file',
				content: Buffer.from([0, 13, 10, 255]),
				filename: 'a.bin',
				contentType: 'image/png',
			},
		];
		const { contentType, content } = multipart(parts, 'seed');
		expect(multipart(parts, 'seed').content.equals(content)).toBe(true);
		expect(multipart(parts, 'other').contentType).not.toBe(contentType);

		// Node's own parser is the judge.
		const form = await new Response(content, {
			headers: { 'content-type': contentType },
		}).formData();
		expect([...form.keys()]).toHaveLength(2);
		expect([...form.values()][0]).toBe('hellö');
		const file = form.get('file') as File;
		expect(file.name).toBe('a.bin');
		expect(file.type).toBe('image/png');
		expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from([0, 13, 10, 255]));
	});
});

describe('A URL', () => {
	it.each<[string, Array<[string, string]>, string]>([
		['https://x.example/a', [], 'https://x.example/a'],
		['https://x.example/a', [['b', 'c d']], 'https://x.example/a?b=c+d'],
		['https://x.example/a?z=1', [['b', '2']], 'https://x.example/a?z=1&b=2'],
		['https://x.example/a?', [['b', '2']], 'https://x.example/a?b=2'],
		['https://x.example/a#top', [['b', '2']], 'https://x.example/a?b=2#top'],
	])('%s with the query %j', (url, query, expected) => {
		expect(fullUrl({ url, query })).toBe(expected);
	});

	it('is shown without secrets', () => {
		expect(readableUrl('https://ann:secret@x.example/a?token=1#x')).toBe('https://x.example/a');
		expect(readableUrl('not a url?token=1')).toBe('not a url');
	});
});

describe('OAuth 1', () => {
	// The example of the specification at oauth.net/core/1.0a, appendix A.
	it('signs as the specification says', () => {
		const [consumerKey, consumerSecret, token, tokenSecret] =
			'dpf43f3p2l4k3l03 kd94hf93k423kf44 nnch734d00sl2jdk pfkkdhi9sl3r4s00'.split(' ');
		const header = oauth1Header(
			{ method: 'get', url: 'http://photos.example.net/photos?file=vacation.jpg&size=original' },
			{
				consumerKey,
				consumerSecret,
				token,
				tokenSecret,
				signatureMethod: 'HMAC-SHA1',
			},
			'kllo9940pd9333jh',
			1191242096,
		);
		expect(header).toContain('oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"');
		expect(header).toMatch(/^OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_nonce=/);
	});

	it('signs the fields of a form, and is another each time', () => {
		const secrets = {
			consumerKey: 'c',
			consumerSecret: 's',
			token: 't',
			tokenSecret: 'u',
			signatureMethod: 'HMAC-SHA256' as const,
		};
		const url = 'https://x.example/';
		const sign = (form: Array<[string, string]>) =>
			oauth1Header({ method: 'POST', url, form }, secrets, 'n', 1);
		expect(sign([['a', '1']])).not.toBe(sign([['a', '2']]));
		expect(sign([['a', '1']])).toBe(sign([['a', '1']]));
		expect(oauth1Header({ method: 'POST', url }, secrets)).not.toBe(
			oauth1Header({ method: 'POST', url }, secrets),
		);
	});
});
