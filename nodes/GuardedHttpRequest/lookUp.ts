import type { IExecuteFunctions } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { canCarry, placeKey } from '../../http/placeKey';
import type { Request } from '../../http/request';
import { isObject, pathIn, select } from '../../keys/path';
import type { JsonValue } from '../../ledger/records';
import { text } from '../shared/text';
import { type Answer, readAnswer } from './answer';
import type { Proof } from './authentication';
import { milliseconds, type Options } from './options';
import type { Outgoing } from './outgoing';
import { externalId, type Storage } from './storage';
import { send } from './transport';
import type { TransportOptions } from './TransportOptions';

/** How to ask the destination whether a request had its effect. */
export interface LookUp {
	url: string;
	/** Where in the answer the results are. */
	results?: string;
	/** Which of them count. */
	only?: { field: string; value: string };
	delayMs: number;
}

/** Of a request's plan what the question depends on. */
interface Destination {
	lookUp?: LookUp;
	request: Request;
	outgoing?: Outgoing;
	transport: TransportOptions;
	storage: Storage;
}

export type Finding =
	| { found: 'happened'; answer: Answer }
	| { found: 'absent'; why: string }
	/** `mayClear`: asking again may help. */
	| { found: 'unclear'; why: string; mayClear: boolean };

export function readLookUp(
	node: IExecuteFunctions,
	i: number,
	outgoing: Outgoing | undefined,
	options: Options,
): LookUp | undefined {
	if (node.getNodeParameter('lookUp', i, false) !== true) return undefined;
	const url = text(node.getNodeParameter('lookUpUrl', i)) ?? '';
	if (!URL.canParse(url)) {
		throw new RequestError(
			url === '' ? "The 'Look-Up URL' is empty" : `The look-up's '${url}' is not a URL`,
			'Give the address where the destination shows whether it happened, or turn the look-up off',
		);
	}
	const field = text(node.getNodeParameter('lookUpField', i));
	const value = text(node.getNodeParameter('lookUpValue', i));
	if (field !== undefined && value === undefined) {
		throw new RequestError(
			"'Has the Value' of the look-up is empty",
			'Check its expression: without a value anything would be found, or nothing',
		);
	}
	return {
		url: withKey(url, outgoing),
		results: text(node.getNodeParameter('lookUpResults', i)),
		only: field !== undefined && value !== undefined ? { field, value } : undefined,
		delayMs: milliseconds(options.lookUpDelaySeconds ?? 10, "'Look-Up Delay'"),
	};
}

function withKey(url: string, outgoing: Outgoing | undefined): string {
	const question: Request = { method: 'GET', url, query: [], headers: {} };
	if (!canCarry(question, { in: 'path' })) return url;
	if (outgoing) return placeKey(question, { in: 'path' }, outgoing.value).url;
	throw new RequestError(
		"The 'Look-Up URL' asks for the outgoing key, and none is sent",
		"Choose an 'Outgoing Key', or look for something else",
	);
}

/** Asks once. Whatever is no clear answer is unclear. */
export async function askDestination(
	node: IExecuteFunctions,
	{ lookUp, request, outgoing, transport, storage }: Destination,
	proof: Proof,
	signal: AbortSignal | undefined,
): Promise<Finding> {
	const { url, ...wanted } = lookUp!;
	const keyHeader = outgoing?.place.in === 'header' ? outgoing.place.name : '';
	const headers = Object.entries(request.headers).filter(
		([name]) => name !== keyHeader && !/^content-/i.test(name),
	);
	let answer: Answer;
	try {
		const question: Request = {
			method: 'GET',
			url,
			query: [],
			headers: Object.fromEntries(headers),
		};
		const reply = await send(node, question, proof, transport, signal);
		({ answer } = await readAnswer(node, reply, 'json'));
	} catch (error) {
		return unclear(`the look-up failed: ${(error as Error).message}`, true);
	}
	const { statusCode } = answer;
	if (statusCode === 404) return { found: 'absent', why: 'the look-up answered 404' };
	if (statusCode !== 200) {
		return unclear(`the look-up answered ${statusCode}`, statusCode === 429 || statusCode! >= 500);
	}
	return interpret(answer, wanted, storage.externalIdField);
}

function interpret(
	answer: Answer,
	{ results, only }: Omit<LookUp, 'url'>,
	idField: string,
): Finding {
	const { body } = answer;
	if (!isObject(body)) return unclear('the look-up answered no JSON');
	const found = results === undefined ? body : select(body, pathIn(body, results));
	if (!isObject(found)) return unclear(`the look-up's answer has no list in '${results}'`);
	const matches = (Array.isArray(found) ? found : [found]).filter((entry) => counts(entry, only));
	if (matches.length === 0) return { found: 'absent', why: 'the look-up found nothing' };
	if (matches.length > 1) return unclear(`the look-up found ${matches.length} results`);
	const [match] = matches as JsonValue[];
	// The frame around an empty list is an object too. A thing that was made has an ID.
	if (externalId(match, [idField]) === undefined) {
		return unclear(`what the look-up found has no '${idField}'`);
	}
	return { found: 'happened', answer: { ...answer, body: match, adopted: true } };
}

function counts(entry: unknown, only: LookUp['only']): boolean {
	if (!only) return true;
	const value = isObject(entry) ? select(entry, pathIn(entry, only.field)) : undefined;
	return text(value) === only.value;
}

function unclear(why: string, mayClear = false): Finding {
	return { found: 'unclear', why, mayClear };
}
