import type { Method } from './methods';
import { multipart, type Part } from './multipart';

/** A request as it is asked for: without the outgoing key, and without anything that proves who sends it. */
export interface Request {
	method: Method;
	url: string;
	query: Array<[name: string, value: string]>;
	headers: Record<string, string>;
	body?: Body;
}

export type Body =
	| { kind: 'json'; value: unknown }
	| { kind: 'form'; fields: Array<[name: string, value: string]> }
	| { kind: 'multipart'; parts: Part[] }
	| { kind: 'raw'; text: string; contentType: string }
	| { kind: 'bytes'; bytes: Buffer; contentType: string };

export interface EncodedBody {
	contentType: string;
	content: string | Buffer;
}

/** The body as it goes over the wire: the same on every attempt. The seed tells the parts of a multipart body apart from their content. */
export function encodeBody(body: Body, seed: string): EncodedBody {
	switch (body.kind) {
		case 'json':
			return { contentType: 'application/json', content: JSON.stringify(body.value) };
		case 'form':
			return {
				contentType: 'application/x-www-form-urlencoded',
				content: new URLSearchParams(body.fields).toString(),
			};
		case 'multipart':
			return multipart(body.parts, seed);
		case 'raw':
			return { contentType: body.contentType, content: body.text };
		case 'bytes':
			return { contentType: body.contentType, content: body.bytes };
	}
}

/** The URL with the query in it. What the URL has already stays, in its order. */
export function fullUrl({ url, query }: Pick<Request, 'url' | 'query'>): string {
	if (query.length === 0) return url;
	const [address, fragment] = url.split('#', 2);
	const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
	const added = `${address}${separator}${new URLSearchParams(query).toString()}`;
	return fragment === undefined ? added : `${added}#${fragment}`;
}

/** For people: without a password in it, and without the query, which may carry others. */
export function readableUrl(url: string): string {
	try {
		const { origin, pathname } = new URL(url);
		return `${origin}${pathname}`;
	} catch {
		return url.split(/[?#]/)[0];
	}
}

/** The name under which a header is given, whatever its case. */
export function headerNamed(
	headers: Readonly<Record<string, string>>,
	name: string,
): string | undefined {
	return Object.keys(headers).find((given) => given.toLowerCase() === name.toLowerCase());
}
