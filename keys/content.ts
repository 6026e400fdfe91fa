import { canonicalJson } from './canonicalJson';
import { KeyError } from './errors';
import { sha256 } from './hash';
import { isEmpty, normalise, type NormaliseRule } from './normalise';
import { edit, isObject, pathIn, select, without } from './path';

/** Which fields count, and how to compare them. */
export interface ContentChoice {
	/** Only these fields; each must have a value. */
	only?: readonly string[];
	/** All fields but these. */
	except?: readonly string[];
	/** Without a field: for all fields. */
	normalise?: ReadonlyArray<{ field?: string; rules: readonly NormaliseRule[] }>;
}

/** The canonical hash of the chosen part of `root`: equal exactly if that part is. */
export function contentHash(root: unknown, choice: ContentChoice = {}): string {
	const content = chooseContent(root, choice);
	if (isEmpty(content)) {
		throw new KeyError(
			'There is no content to hash',
			'Check which fields are chosen and left out, and that the item has data',
		);
	}
	return sha256(canonicalJson(content));
}

export function chooseContent(root: unknown, choice: ContentChoice): unknown {
	let content = root;
	for (const field of choice.except ?? []) {
		content = edit(content, pathIn(content, field), () => undefined);
	}
	for (const { field, rules } of choice.normalise ?? []) {
		const path = field ? pathIn(content, field) : [];
		content = edit(content, path, (value) => normalise(value, rules));
	}
	return choice.only?.length ? pick(content, choice) : content;
}

/** By the names that were asked for, so that the same values in other fields are another content. */
function pick(content: unknown, { only = [], normalise: rules = [] }: ContentChoice): unknown {
	const droppable = (name: string) =>
		rules.some((rule) => rule.rules.includes('dropEmpty') && (rule.field ?? name) === name);
	const fields = only.flatMap((name): Array<[string, unknown]> => {
		const value = select(content, pathIn(content, name));
		if (!hasHole(value)) return [[name, value]];
		if (droppable(name)) return [];
		throw new KeyError(
			`The field '${name}' is missing or empty`,
			"Choose fields that every item has, or normalise this one with 'Drop If Empty'",
		);
	});
	return Object.fromEntries(fields);
}

function hasHole(value: unknown): boolean {
	return isEmpty(value) || (Array.isArray(value) && value.some((element) => element === undefined));
}

/** Whether the item is what n8n's Webhook node gives out: the request with its headers and body. */
export function isWebhookItem(json: unknown): json is { headers: object; body: unknown } {
	return isObject(json) && isObject(json.headers) && Object.hasOwn(json, 'body');
}

/**
 * What an item says about the event. Of a webhook call that is neither its headers nor its address, which
 * change with every delivery; and never what our own nodes have added.
 */
export function eventContent(json: Record<string, unknown>): Record<string, unknown> {
	if (!isWebhookItem(json)) return without(json, ['idempotency']);
	return without(json, ['idempotency', 'headers', 'webhookUrl', 'executionMode']);
}
