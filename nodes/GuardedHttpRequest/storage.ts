import type { IExecuteFunctions } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import { isObject, parseFieldList, parsePath, pathIn, select } from '../../keys/path';
import type { JsonValue, StepRecord } from '../../ledger/records';
import { NAME_LIMIT } from '../../ledger/validate';
import { text } from '../shared/text';
import type { Answer } from './answer';
import type { Options } from './options';

/** What the ledger keeps of an answer. */
export interface Storage {
	keep: 'answer' | 'fields' | 'id';
	fields: string[];
	externalIdField: string;
}

export function readStorage(node: IExecuteFunctions, i: number, options: Options): Storage {
	const keep = node.getNodeParameter('store', i) as Storage['keep'];
	const fields =
		keep === 'fields' ? parseFieldList(String(node.getNodeParameter('storeFields', i))) : [];
	if (keep === 'fields' && fields.length === 0) {
		throw new RequestError("'Fields' is empty", 'Name the fields to store, separated by commas');
	}
	return { keep, fields, externalIdField: text(options.externalIdField) ?? 'id' };
}

/** The part of an answer that is to be kept. The first run gives out the same, so that no repeat comes as a surprise. */
export function kept(answer: Answer, { keep, fields }: Storage): Answer {
	if (keep === 'answer') return answer;
	const body = keep === 'fields' ? pick(answer.body, fields) : null;
	return { ...answer, headers: {}, body };
}

/** With the names leading to the values as they did, so that expressions find them. */
function pick(body: JsonValue, fields: string[]): JsonValue {
	const picked: Record<string, unknown> = {};
	for (const field of fields) {
		const value = select(body, pathIn(body, field));
		if (value === undefined) continue;
		const path = isObject(body) && Object.hasOwn(body, field) ? [field] : parsePath(field);
		path.reduce<Record<string, unknown>>((at, name, depth) => {
			if (depth === path.length - 1) at[name] = value;
			return (at[name] ??= {}) as Record<string, unknown>;
		}, picked);
	}
	return picked as JsonValue;
}

/** What the other system calls the thing that was made, at the first of these places. */
export function externalId(body: JsonValue, places: string[]): string | undefined {
	const found = places
		.map((place) => (isObject(body) ? select(body, pathIn(body, place)) : undefined))
		.find((value) => value !== undefined);
	if (typeof found !== 'string' && typeof found !== 'number') return undefined;
	const id = text(found);
	return id !== undefined && id.length <= NAME_LIMIT && !/[\p{Cc}\p{Surrogate}]/u.test(id)
		? id
		: undefined;
}

/** Secrets of the credential that an answer echoes are nobody's business. */
export function withoutSecrets<T>(value: T, secrets: string[]): T {
	const long = secrets.filter((secret) => secret.length >= 6);
	if (long.length === 0) return value;
	const clean = (found: unknown): unknown => {
		if (typeof found === 'string') {
			return long.reduce((rest, secret) => rest.split(secret).join('[secret]'), found);
		}
		if (Array.isArray(found)) return found.map(clean);
		if (!isObject(found)) return found;
		return Object.fromEntries(Object.entries(found).map(([name, inner]) => [name, clean(inner)]));
	};
	return clean(value) as T;
}

/** The answer that a finished step has kept. One that was recorded by another node is given out as the body. */
export function storedAnswer({ output }: StepRecord): Answer {
	const isOurs =
		isObject(output) && 'statusCode' in output && 'headers' in output && 'body' in output;
	return isOurs
		? (output as unknown as Answer)
		: { statusCode: null, headers: {}, body: output ?? null };
}
