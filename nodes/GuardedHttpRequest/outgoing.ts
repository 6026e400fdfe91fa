import type { IExecuteFunctions } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { isSafe } from '../../http/methods';
import { type Encoding, outgoingKey } from '../../http/outgoingKey';
import { canCarry } from '../../http/placeKey';
import {
	detectProvider,
	type Place,
	protectsFor,
	type Provider,
	providerById,
	takesKey,
} from '../../http/providers';
import type { Request } from '../../http/request';
import type { EventAddress } from '../../ledger/records';
import { text } from '../shared/text';
import type { Options } from './options';

/** The key of a request, and what it is good for. */
export interface Outgoing {
	value: string;
	place: Place;
	encoding: Encoding;
	provider?: Provider;
	/** The destination recognises a repeat by it, for ever or for this long after the first attempt. */
	protects: false | { forMs?: number };
}

/** Sent to destinations that we do not know. It does no harm, and nothing is built on it. */
const DEFAULT_KEY_HEADER: Place = { in: 'header', name: 'Idempotency-Key' };

const HOUR = 3_600_000;

export function readOutgoing(
	node: IExecuteFunctions,
	i: number,
	request: Request,
	origin: EventAddress & { step: string },
	options: Options,
): Outgoing | undefined {
	const choice = node.getNodeParameter('outgoingKey', i) as string;
	if (choice === 'none' || isSafe(request.method)) return undefined;
	const { provider, ...taken } = keyPolicyFor(node, i, choice, request);
	const place =
		taken.place.in === 'header' && options.quoteKey
			? { ...taken.place, quoted: true }
			: taken.place;
	const value = outgoingKey({ ...origin, version: text(options.keyVersion) }, taken.encoding);
	return { ...taken, provider, place, value };
}

function keyPolicyFor(
	node: IExecuteFunctions,
	i: number,
	choice: string,
	request: Request,
): Omit<Outgoing, 'value'> {
	if (choice === 'custom') return custom(node, i);
	const provider =
		choice === 'provider'
			? chosen(node.getNodeParameter('provider', i) as string)
			: detected(request);
	if (!provider) return { place: DEFAULT_KEY_HEADER, encoding: 'hex64', protects: false };
	const { place, encoding } = provider;
	return {
		place,
		encoding,
		provider,
		protects: takesKey(provider, request.method) && { forMs: protectsFor(provider) },
	};
}

/** A request that has no place for the provider's key is one that it takes none for, as a search is. */
function detected(request: Request): Provider | undefined {
	const provider = detectProvider(new URL(request.url), request.method);
	return provider && canCarry(request, provider.place) ? provider : undefined;
}

function chosen(id: string): Provider {
	const provider = providerById(id);
	if (provider) return provider;
	throw new RequestError(`The provider '${id}' is not known`, "Choose a 'Provider' from the list");
}

function custom(node: IExecuteFunctions, i: number): Omit<Outgoing, 'value'> {
	const hours = node.getNodeParameter('keyHours', i) as number;
	const conflict = node.getNodeParameter('keyConflict', i) as 'exists' | 'in_progress' | 'refused';
	const place = customPlace(node, i);
	const encoding = node.getNodeParameter('keyEncoding', i) as Encoding;
	return {
		place,
		encoding,
		provider: {
			id: 'custom',
			name: 'the destination',
			evidence: 'unverified',
			source: 'the parameters of the node',
			place,
			encoding,
			limits: {},
			retention: hours * HOUR,
			...(conflict !== 'refused' && { conflict }),
		},
		protects: hours > 0 && { forMs: Math.round(hours * HOUR) },
	};
}

function customPlace(node: IExecuteFunctions, i: number): Place {
	const place = node.getNodeParameter('keyPlace', i) as Place['in'];
	if (place === 'path') return { in: 'path' };
	const name = text(node.getNodeParameter('keyName', i));
	if (name === undefined) {
		throw new RequestError("The 'Name of the Key' is empty", 'Say how the destination calls it');
	}
	if (place === 'body') return { in: 'body', path: name };
	if (place === 'graphql') return { in: 'graphql', directive: name };
	return { in: place, name };
}
