import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { isSafe, type Method, METHODS } from '../../http/methods';
import type { Part } from '../../http/multipart';
import type { Body, Request } from '../../http/request';
import { plainJson } from '../shared/item/plainJson';
import { text } from '../shared/text';

interface Pair {
	name?: unknown;
	value?: unknown;
	parameterType?: string;
	inputDataFieldName?: string;
}

/** The request that an item asks for, without key and authentication. */
export async function readRequest(node: IExecuteFunctions, i: number): Promise<Request> {
	const method = node.getNodeParameter('method', i) as Method;
	if (!METHODS.includes(method)) {
		throw new RequestError(
			`The method '${String(method)}' is not known`,
			`Use one of: ${METHODS.join(', ')}`,
		);
	}
	const hasBody = node.getNodeParameter('sendBody', i, false) === true;
	if (hasBody && isSafe(method)) {
		throw new RequestError(
			`A ${method} request has no body: n8n would leave it out`,
			"Turn 'Send Body' off, or choose another method",
		);
	}
	return {
		method,
		url: readUrl(node, i),
		query:
			node.getNodeParameter('sendQuery', i, false) === true ? read(node, 'queryParameters', i) : [],
		headers:
			node.getNodeParameter('sendHeaders', i, false) === true
				? Object.fromEntries(read(node, 'headerParameters', i))
				: {},
		...(hasBody && { body: await readBody(node, i) }),
	};
}

function readUrl(node: IExecuteFunctions, i: number): string {
	const url = text(node.getNodeParameter('url', i)) ?? '';
	const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
	if (isWeb) return url;
	throw new RequestError(
		url === '' ? "The 'URL' is empty" : `'${url}' is not a URL of the web`,
		'Begin it with http:// or https://, and check its expression',
	);
}

async function readBody(node: IExecuteFunctions, i: number): Promise<Body> {
	switch (node.getNodeParameter('contentType', i)) {
		case 'form-urlencoded':
			return { kind: 'form', fields: read(node, 'bodyParameters', i) };
		case 'multipart-form-data':
			return { kind: 'multipart', parts: await readParts(node, i) };
		case 'binaryData': {
			const field = node.getNodeParameter('inputDataFieldName', i) as string;
			const { mimeType } = node.helpers.assertBinaryData(i, field);
			const bytes = await node.helpers.getBinaryDataBuffer(i, field);
			return { kind: 'bytes', bytes, contentType: mimeType || 'application/octet-stream' };
		}
		case 'raw':
			return {
				kind: 'raw',
				text: plainText(node.getNodeParameter('body', i)),
				contentType: text(node.getNodeParameter('rawContentType', i)) ?? 'text/plain',
			};
		default:
			return { kind: 'json', value: readJson(node, i) };
	}
}

function readJson(node: IExecuteFunctions, i: number): unknown {
	if (node.getNodeParameter('specifyBody', i) === 'keypair') {
		return Object.fromEntries(read(node, 'bodyParameters', i));
	}
	const given = node.getNodeParameter('jsonBody', i) as unknown;
	if (given === undefined || given === null || given === '') {
		throw new RequestError(
			"The 'JSON' of the body is empty",
			"Check its expression, or turn 'Send Body' off",
		);
	}
	if (typeof given !== 'string') return plainJson(given);
	try {
		return plainJson(JSON.parse(given));
	} catch {
		throw new NodeOperationError(node.getNode(), "The 'JSON' of the body is not valid JSON", {
			itemIndex: i,
			description: 'Check the quotes and commas; an expression may also give an object',
		});
	}
}

async function readParts(node: IExecuteFunctions, i: number): Promise<Part[]> {
	const parts: Part[] = [];
	for (const { name, value, parameterType, inputDataFieldName = 'data' } of pairs(
		node,
		'bodyParameters',
		i,
	)) {
		if (parameterType !== 'formBinaryData') {
			parts.push({ name: String(name), content: plainText(value) });
			continue;
		}
		const { fileName, mimeType } = node.helpers.assertBinaryData(i, inputDataFieldName);
		const content = await node.helpers.getBinaryDataBuffer(i, inputDataFieldName);
		parts.push({
			name: String(name),
			content,
			filename: fileName ?? 'file',
			contentType: mimeType,
		});
	}
	return parts;
}

function read(node: IExecuteFunctions, parameter: string, i: number): Array<[string, string]> {
	return pairs(node, parameter, i).map(({ name, value }) => [String(name), plainText(value)]);
}

/** Lines of which nothing was filled in are no parameters. */
function pairs(node: IExecuteFunctions, parameter: string, i: number): Pair[] {
	const { parameters = [] } = node.getNodeParameter(parameter, i, {}) as { parameters?: Pair[] };
	return parameters.filter(({ name }) => text(name) !== undefined);
}

function plainText(value: unknown): string {
	if (value === null || value === undefined) return '';
	return typeof value === 'object'
		? JSON.stringify(plainJson(value as IDataObject))
		: String(value);
}
