import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { isSafe } from '../../http/methods';
import type { Part } from '../../http/multipart';
import { encodeBody, fullUrl, headerNamed, type Body, type Request } from '../../http/request';
import type { Proof } from './authentication';
import type { TransportOptions } from './TransportOptions';

/** What came back, whatever its status. */
export interface Reply {
	status: number;
	headers: Record<string, unknown>;
	body: Buffer;
}

type FullResponse = { statusCode: number; headers: object; body: unknown };
type OAuth2Options = Parameters<IExecuteFunctions['helpers']['requestOAuth2']>[1];

/**
 * Sends a request once, with n8n's own helpers, so that its protections and proxies apply. Gives back any answer; throws if there
 * is none. n8n's habit of sending again after 401 is kept to where it has to be: Digest and OAuth2, where the first request was
 * refused for lack of a proof and counts for nothing.
 */
export async function send(
	node: IExecuteFunctions,
	request: Request,
	proof: Proof,
	transport: TransportOptions,
	signal: AbortSignal | undefined,
): Promise<Reply> {
	const url = fullUrl({ url: request.url, query: [...request.query, ...proof.query] });
	const body = withProof(request, proof);
	const signed = proof.sign?.({
		method: request.method,
		url,
		form: body?.kind === 'form' ? body.fields : undefined,
	});
	const headers: Record<string, string> = { ...request.headers, ...proof.headers, ...signed };
	const encoded = body && encodeBody(body, JSON.stringify([request.url, request.headers]));
	if (encoded && headerNamed(headers, 'content-type') === undefined) {
		headers['Content-Type'] = encoded.contentType;
	}
	const common = {
		method: request.method,
		headers,
		body: encoded?.content,
		timeout: transport.timeoutMs,
		...(transport.proxy && { proxy: transport.proxy }),
		...(proof.certificate && { agentOptions: proof.certificate }),
		...(proof.allowedDomains !== undefined && { allowedDomains: proof.allowedDomains }),
	};
	const answer = proof.isOAuth2
		? node.helpers.requestOAuth2.call(node, 'oAuth2Api', oauth2(url, common, body, transport))
		: node.helpers.httpRequest({
				...common,
				url,
				encoding: 'arraybuffer',
				returnFullResponse: true,
				// Where n8n has to see the 401 to answer its challenge.
				ignoreHttpStatusErrors:
					proof.auth?.sendImmediately === false ? { ignore: true, except: [401] } : true,
				...(transport.maxRedirects > 0
					? { maxRedirects: transport.maxRedirects, sendCredentialsOnCrossOriginRedirect: false }
					: { disableFollowRedirect: true }),
				...(transport.allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
				...(proof.auth && { auth: proof.auth }),
				...(signal && { abortSignal: signal }),
			} as IHttpRequestOptions);
	return await orCancelled(answer as Promise<FullResponse>, signal).then(reply, refused);
}

/** The older kind of options, which n8n's helper for OAuth2 takes. It makes a form of the parts by itself. */
function oauth2(
	uri: string,
	{
		headers,
		body: content,
		...common
	}: { headers: Record<string, string>; body?: string | Buffer },
	body: Body | undefined,
	transport: TransportOptions,
): OAuth2Options {
	const follows = transport.maxRedirects > 0;
	return {
		...common,
		uri,
		headers,
		...(body?.kind === 'multipart' ? { formData: formData(body.parts) } : { body: content }),
		encoding: null,
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: follows,
		followAllRedirects: follows,
		...(follows && { maxRedirects: transport.maxRedirects }),
		...(transport.allowUnauthorizedCerts && { rejectUnauthorized: false }),
	} as unknown as OAuth2Options;
}

/** By name, with all parts of the same name. */
function formData(parts: Part[]): Record<string, unknown[]> {
	const byName: Record<string, unknown[]> = {};
	for (const { name, content: value, filename, contentType } of parts) {
		const part = filename === undefined ? value : { value, options: { filename, contentType } };
		(byName[name] ??= []).push(part);
	}
	return byName;
}

/** Custom Auth may have fields for the body. */
function withProof({ method, body }: Request, { body: fields }: Proof): Body | undefined {
	if (!fields || isSafe(method)) return body;
	if (!body) return { kind: 'json', value: fields };
	if (body.kind === 'form') {
		const more = Object.entries(fields).map(([name, value]): [string, string] => [
			name,
			String(value),
		]);
		return { kind: 'form', fields: [...body.fields, ...more] };
	}
	if (body.kind === 'json' && typeof body.value === 'object' && !Array.isArray(body.value)) {
		return { kind: 'json', value: { ...body.value, ...fields } };
	}
	throw new RequestError(
		'The Custom Auth credential has fields for the body, and the body has no fields',
		'Send a JSON object or a form, or use a credential without a body',
	);
}

/** n8n does not hand the signal to every helper, and after a cancellation nobody waits any more. */
async function orCancelled<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return await answer;
	return await new Promise<T>((resolve, reject) => {
		const stop = () => reject(new Error('The execution was cancelled'));
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop, { once: true });
		answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}

function reply({ statusCode, headers, body }: FullResponse): Reply {
	return { status: statusCode, headers: { ...headers }, body: bytes(body) };
}

/** A 401 that was not ignored is an answer like any other. */
function refused(error: unknown): Reply {
	const { response } = error as {
		response?: { status?: number; headers?: object; data?: unknown };
	};
	if (response?.status !== 401) throw error;
	return { status: 401, headers: { ...response.headers }, body: bytes(response.data) };
}

function bytes(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	if (body === undefined || body === null) return Buffer.alloc(0);
	return Buffer.from(typeof body === 'object' ? JSON.stringify(body) : String(body));
}
