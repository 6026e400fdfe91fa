import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { header } from '../../http/retryAfter';
import type { JsonValue } from '../../ledger/records';
import { plainJson } from '../shared/item/plainJson';
import { storableHeaders } from '../shared/item/storableJson';
import type { ResponseFormat } from './options';
import type { Reply } from './transport';

/** What items carry, the first time and on every repeat. */
export interface Answer {
	statusCode: number | null;
	headers: Record<string, JsonValue>;
	body: JsonValue;
	/** Of a file, which only the first run gets. */
	file?: { fileName: string; mimeType: string; bytes: number };
	/** Why the body is not kept for repeats. */
	bodyNotStored?: string;
	/** It was found at the destination, where an earlier attempt had made it. */
	adopted?: boolean;
	/** What came was not what was asked for. */
	note?: string;
}

export interface ReadAnswer {
	answer: Answer;
	file?: IBinaryData;
}

const JSON_TYPE = /^application\/(.+\+)?json\b/i;
const TEXT_TYPE = /^(text\/|application\/(.+\+)?(xml|javascript|x-www-form-urlencoded)\b)/i;

/**
 * Makes of a reply what the workflow gets. It never fails: by now the effect has happened, and a body that is not what was
 * expected is no reason to forget it.
 */
export async function readAnswer(
	node: IExecuteFunctions,
	reply: Reply,
	format: ResponseFormat,
): Promise<ReadAnswer> {
	const type = header(reply.headers, 'content-type') ?? '';
	const common = {
		statusCode: reply.status,
		headers: plainJson(storableHeaders(reply.headers)) as Answer['headers'],
	};
	if (wantsFile(format, type, reply)) return await asFile(node, reply, type, common);
	const text = decode(reply.body, type);
	if (text === '') return { answer: { ...common, body: null } };
	const wantsJson = format === 'json' || (format === 'autodetect' && JSON_TYPE.test(type));
	const parsed = wantsJson ? parse(text) : undefined;
	if (parsed) return { answer: { ...common, body: parsed.value } };
	const note = wantsJson ? { note: 'The body is not valid JSON and is given out as text' } : {};
	return { answer: { ...common, body: text, ...note } };
}

async function asFile(
	node: IExecuteFunctions,
	reply: Reply,
	type: string,
	common: Pick<Answer, 'statusCode' | 'headers'>,
): Promise<ReadAnswer> {
	const mimeType = type.split(';')[0].trim() || 'application/octet-stream';
	const fileName = nameOfFile(reply);
	const answer: Answer = {
		...common,
		body: null,
		file: { fileName, mimeType, bytes: reply.body.length },
		bodyNotStored: 'Files are not stored',
	};
	try {
		return { answer, file: await node.helpers.prepareBinaryData(reply.body, fileName, mimeType) };
	} catch (error) {
		return {
			answer: { ...answer, note: `n8n could not keep the file: ${(error as Error).message}` },
		};
	}
}

function wantsFile(format: ResponseFormat, type: string, { body }: Reply): boolean {
	if (format === 'file') return true;
	const isReadable = type === '' || JSON_TYPE.test(type) || TEXT_TYPE.test(type);
	return format === 'autodetect' && body.length > 0 && !isReadable;
}

function nameOfFile({ headers }: Reply): string {
	const given = /filename="?([^";]+)"?/i.exec(header(headers, 'content-disposition') ?? '');
	return given?.[1].trim() || 'file';
}

function decode(body: Buffer, type: string): string {
	const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return body.toString('utf8');
	}
}

function parse(text: string): { value: JsonValue } | undefined {
	try {
		return { value: JSON.parse(text) as JsonValue };
	} catch {
		return undefined;
	}
}
