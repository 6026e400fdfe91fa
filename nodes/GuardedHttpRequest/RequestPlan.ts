import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import type { RetrySettings } from '../../http/nextMove';
import { placeKey } from '../../http/placeKey';
import { fullUrl, type Request } from '../../http/request';
import { canonicalJson } from '../../keys/canonicalJson';
import { sha256 } from '../../keys/hash';
import type { Claimant } from '../../ledger/records';
import { checkDuration, checkInteger } from '../../ledger/validate';
import type { HeldClaim } from '../shared/ledger/HeldClaim';
import { text } from '../shared/text';
import { type Approval, readApproval } from './approval';
import { type LookUp, readLookUp } from './lookUp';
import { milliseconds, type Options, type ResponseFormat } from './options';
import { type Outgoing, readOutgoing } from './outgoing';
import { readRequest } from './readRequest';
import { readStorage, type Storage } from './storage';
import type { Proxy, TransportOptions } from './TransportOptions';

/** Which step of which event an item is about. */
export interface StepTarget {
	item: INodeExecutionData;
	itemIndex: number;
	claim: HeldClaim;
	/** Who begins the step. */
	claimant: Claimant;
	step: string;
}

/** All that is to be done for an item; its parameters are evaluated once. */
export interface RequestPlan extends StepTarget {
	request: Request;
	outgoing?: Outgoing;
	/** Of method, URL and body, without the key. */
	fingerprint: string;
	checkContent: boolean;
	retry: RetrySettings;
	transport: TransportOptions;
	response: { format: ResponseFormat; field: string };
	storage: Storage;
	lookUp?: LookUp;
	approval?: Approval;
}

export async function planRequest(
	node: IExecuteFunctions,
	target: StepTarget,
	options: Options,
): Promise<RequestPlan> {
	const { itemIndex: i, claim, step } = target;
	const asked = await readRequest(node, i);
	const { namespace, key } = claim;
	const outgoing = readOutgoing(node, i, asked, { namespace, key, step }, options);
	const { redirect = {} } = options.redirect ?? {};
	const { responseFormat = 'autodetect', outputPropertyName = 'data' } =
		options.response?.response ?? {};
	return {
		...target,
		request: outgoing ? placeKey(asked, outgoing.place, outgoing.value) : asked,
		outgoing,
		fingerprint: fingerprint(asked),
		checkContent: options.checkContent ?? true,
		retry: {
			maxAttempts: checkInteger(options.maxAttempts ?? 4, "'Max Attempts'", 1, 100),
			baseMs: milliseconds(options.backoffSeconds ?? 1, "'Backoff'"),
			capMs: milliseconds(options.backoffLimitSeconds ?? 30, "'Backoff Limit'"),
			deadlineMs: milliseconds(options.deadlineSeconds ?? 120, "'Deadline'"),
			longestWaitMs: milliseconds(options.longestWaitSeconds ?? 60, "'Longest Wait'"),
		},
		transport: {
			timeoutMs: checkDuration(options.timeout ?? 60_000, "'Timeout'"),
			maxRedirects: redirect.followRedirects ? (redirect.maxRedirects ?? 5) : 0,
			proxy: readProxy(options.proxy),
			allowUnauthorizedCerts: options.allowUnauthorizedCerts ?? false,
		},
		response: { format: responseFormat, field: outputPropertyName },
		storage: readStorage(node, i, options),
		lookUp: readLookUp(node, i, outgoing, options),
		approval: readApproval(node, i, asked, options),
	};
}

function readProxy(given: unknown): Proxy | undefined {
	const url = text(given);
	if (url === undefined) return undefined;
	if (!URL.canParse(url)) {
		throw new RequestError(`The proxy '${url}' is not a URL`, 'Write it like http://myproxy:3128');
	}
	const { protocol, hostname, port, username, password } = new URL(url);
	return {
		protocol: protocol.slice(0, -1),
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username !== '' && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/** The order of the fields of a JSON body does not count; files count by their content. */
function fingerprint(request: Request): string {
	const { method, body } = request;
	const hash = (content: string | Buffer) =>
		typeof content === 'string' ? content : sha256(content.toString('base64'));
	const content = (): unknown => {
		switch (body?.kind) {
			case undefined:
				return null;
			case 'multipart':
				return body.parts.map((part) => ({ ...part, content: hash(part.content) }));
			case 'bytes':
				return { ...body, bytes: hash(body.bytes) };
			default:
				return body as unknown as IDataObject;
		}
	};
	return sha256(
		canonicalJson({ method, url: fullUrl(request), body: content() }, { loneSurrogates: 'escape' }),
	);
}
