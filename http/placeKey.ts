import { RequestError } from './errors';
import type { Place } from './providers';
import { type Body, headerNamed, type Request } from './request';

/** Where a URL asks for the key. Tools write the braces in either way. */
const PLACEHOLDER = /\{idempotencyKey\}|%7BidempotencyKey%7D/g;

type Fields = Record<string, unknown>;

/** The request with its key in it. Nothing of the request that was given is changed. */
export function placeKey(request: Request, place: Place, key: string): Request {
	switch (place.in) {
		case 'header':
			return inHeader(request, place.name, place.quoted ? `"${key}"` : key);
		case 'query':
			return inQuery(request, place.name, key);
		case 'path':
			return inPath(request, key);
		case 'body':
			return { ...request, body: inBody(request.body, place.path, { ...place.beside }, key) };
		case 'graphql':
			return { ...request, body: inVariables(request.body, place.directive, key) };
	}
}

/** Whether a request has a place of this kind. One that is taken already is a place. */
export function canCarry({ url, body }: Request, place: Place): boolean {
	const fields = body?.kind === 'json' && isFields(body.value) ? body.value : undefined;
	switch (place.in) {
		case 'path':
			return url.search(PLACEHOLDER) >= 0;
		case 'body':
			if (body?.kind === 'form') return !place.path.includes('.');
			return (
				fields !== undefined && (!place.path.startsWith('*.') || objectsIn(fields).length === 1)
			);
		case 'graphql':
			return typeof fields?.query === 'string' && usesKey(fields.query, place.directive);
		default:
			return true;
	}
}

function inHeader(request: Request, name: string, value: string): Request {
	const given = headerNamed(request.headers, name);
	if (given !== undefined) refuseOwn(`The header '${given}'`);
	return { ...request, headers: { ...request.headers, [name]: value } };
}

function inQuery(request: Request, name: string, key: string): Request {
	const isGiven =
		request.query.some(([given]) => given === name) ||
		(URL.canParse(request.url) && new URL(request.url).searchParams.has(name));
	if (isGiven) refuseOwn(`The query parameter '${name}'`);
	return { ...request, query: [...request.query, [name, key]] };
}

function inPath(request: Request, key: string): Request {
	if (request.url.search(PLACEHOLDER) < 0) {
		throw new RequestError(
			'The URL has no place for the outgoing key',
			'Write {idempotencyKey} into the URL where the key belongs',
		);
	}
	return { ...request, url: request.url.replace(PLACEHOLDER, encodeURIComponent(key)) };
}

function inBody(body: Body | undefined, path: string, beside: Fields, key: string): Body {
	const names = path.split('.');
	if (body?.kind === 'form' && names.length === 1) {
		if (body.fields.some(([name]) => name === path)) refuseOwn(`The field '${path}' of the body`);
		const more = Object.entries(beside).map(([name, value]): [string, string] => [
			name,
			String(value),
		]);
		return { kind: 'form', fields: [...body.fields, [path, key], ...more] };
	}
	if (body?.kind !== 'json' || !isFields(body.value)) {
		throw new RequestError(
			`The outgoing key belongs into the field '${path}' of the body, and the body has no fields`,
			'Send a JSON object, or choose another place for the key',
		);
	}
	return { kind: 'json', value: withField(body.value, names, { ...beside }, key, path) };
}

function withField(
	fields: Fields,
	[name, ...rest]: string[],
	beside: Fields,
	key: string,
	path: string,
): Fields {
	if (rest.length === 0) {
		if (fields[name] !== undefined) refuseOwn(`The field '${path}' of the body`);
		return { ...beside, ...fields, [name]: key };
	}
	const parent = name === '*' ? onlyObject(fields, path) : name;
	const inner = fields[parent] ?? {};
	if (!isFields(inner)) {
		throw new RequestError(
			`The outgoing key belongs into the field '${path}' of the body, and '${parent}' is no object`,
			'Check the body, or choose another place for the key',
		);
	}
	return { ...fields, [parent]: withField(inner, rest, beside, key, path) };
}

function onlyObject(fields: Fields, path: string): string {
	const objects = objectsIn(fields);
	if (objects.length === 1) return objects[0];
	throw new RequestError(
		`The outgoing key belongs into the one object of the body ('${path}'), and it has ${objects.length}`,
		'Check the body, or choose another place for the key',
	);
}

function objectsIn(fields: Fields): string[] {
	return Object.keys(fields).filter((name) => isFields(fields[name]));
}

function usesKey(query: string, directive: string): boolean {
	return query.includes(directive) && query.includes('$idempotencyKey');
}

function inVariables(body: Body | undefined, directive: string, key: string): Body {
	const sent = body?.kind === 'json' && isFields(body.value) ? body.value : {};
	const { query, variables = {} } = sent;
	if (typeof query !== 'string' || !isFields(variables)) {
		throw new RequestError(
			'The body is no GraphQL request',
			'Send a JSON object with the fields query and variables',
		);
	}
	if (!usesKey(query, directive)) {
		throw new RequestError(
			`The GraphQL query does not use the outgoing key`,
			`Declare $idempotencyKey: String! and write ${directive}(key: $idempotencyKey) behind the mutation`,
		);
	}
	if (variables.idempotencyKey !== undefined) refuseOwn("The variable 'idempotencyKey'");
	return { kind: 'json', value: { ...sent, variables: { ...variables, idempotencyKey: key } } };
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key that is made by hand may change with every attempt, and would then protect nothing. */
function refuseOwn(what: string): never {
	throw new RequestError(
		`${what} is set, and this node sets it itself`,
		"Remove it, or choose 'None' as outgoing key to send your own",
	);
}
