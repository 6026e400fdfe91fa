import type { Component } from './deriveKey';
import { isWebhookItem } from './content';
import { isEmpty } from './normalise';
import { isObject, parsePath, select, type Path } from './path';
import { PRESETS, type Preset, type Recipe, type Variant } from './presets';
import type { Conditions, Reference } from './presets/types';
import { eventsOf } from './splitBatch';

/** What was recognised in an item, and what makes its key. */
export interface Recognised {
	preset: Preset;
	recipe: Recipe;
	variant: Variant;
	components: Component[];
	/** Which fields and headers those are, in words. */
	field: string;
	/** How many events the item carries; the others have keys of their own. */
	events: number;
}

/** A request as its receiver sees it. */
interface Delivery {
	variant: Variant;
	headers: ReadonlyMap<string, unknown>;
	envelope: unknown;
}

/** What a preset looks at. */
interface View extends Delivery {
	event: unknown;
	events: number;
}

/**
 * Finds out who sent the item. Senders are tried in order, and those that leave an id of their own before
 * those whose key has to be put together.
 */
export function detectSender(json: unknown): Recognised | undefined {
	let weak: Recognised | undefined;
	for (const found of candidates(json)) {
		if (found.recipe.tier === 'strong') return found;
		weak ??= found;
	}
	return weak;
}

/** Everybody who may have sent the item. */
export function* candidates(json: unknown): Generator<Recognised> {
	const delivery = deliveryOf(json);
	for (const preset of PRESETS) {
		const found = recognise(delivery, preset);
		if (found) yield found;
	}
}

/**
 * Uses the preset that somebody chose. The event still has to look like one of this sender: the `id` of
 * something else is most often that of a thing, which would be done once and never again.
 */
export function applyPreset(json: unknown, preset: Preset): Recognised | undefined {
	return recognise(deliveryOf(json), preset);
}

/** The event in an item: the body, or the first in the body's list. */
export function eventIn(json: unknown, preset: Preset): unknown {
	return viewOf(deliveryOf(json), preset).event;
}

function recognise(delivery: Delivery, preset: Preset): Recognised | undefined {
	const view = viewOf(delivery, preset);
	if (!preset.detect.some((conditions) => holds(view, conditions))) return undefined;
	for (const recipe of preset.recipes) {
		if (recipe.variant && recipe.variant !== view.variant) continue;
		if (recipe.when && !holds(view, recipe.when)) continue;
		const found = recipe.use.map((reference) => find(view, parseReference(reference)));
		if (found.some(({ optional, value }) => !optional && isEmpty(value))) continue;
		const used = found.filter(({ value }) => !isEmpty(value));
		return {
			preset,
			recipe,
			variant: view.variant,
			components: found.map(({ name, value, optional }) => ({ name, value, optional })),
			field: used.map(({ label }) => label).join(' + '),
			events: view.events,
		};
	}
	return undefined;
}

/** What n8n's Webhook node gives out has headers and a body; what a trigger gives out is the body. */
function deliveryOf(json: unknown): Delivery {
	if (!isWebhookItem(json)) return { variant: 'trigger', headers: new Map(), envelope: json };
	const headers = Object.entries(json.headers).map(([name, value]): [string, unknown] => [
		name.toLowerCase(),
		Array.isArray(value) ? value[0] : value,
	]);
	return { variant: 'webhook', headers: new Map(headers), envelope: json.body };
}

function viewOf(delivery: Delivery, { batch }: Preset): View {
	const events = batch ? eventsOf(delivery.envelope, batch) : [];
	return {
		...delivery,
		event: events.length > 0 ? events[0] : delivery.envelope,
		events: Math.max(events.length, 1),
	};
}

function holds(view: View, conditions: Conditions): boolean {
	return Object.entries(conditions).every(([reference, expected]) => {
		const { value } = find(view, parseReference(reference));
		if (isEmpty(value)) return false;
		if (expected === true) return true;
		if (isObject(value)) return false;
		return typeof expected === 'string' ? value === expected : expected.test(String(value));
	});
}

interface Parsed {
	place: 'header' | 'body' | 'envelope';
	alternatives: Array<{ name: string; path: Path }>;
	optional: boolean;
}

interface Found {
	name: string;
	label: string;
	value: unknown;
	optional: boolean;
}

function find(view: View, { place, alternatives, optional }: Parsed): Found {
	const root = place === 'body' ? view.event : view.envelope;
	const read = ({ name, path }: { name: string; path: Path }) => {
		const value = place === 'header' ? view.headers.get(name.toLowerCase()) : select(root, path);
		// A field of several events is none of one event.
		return Array.isArray(value) ? undefined : value;
	};
	const used = alternatives.find((alternative) => !isEmpty(read(alternative))) ?? alternatives[0];
	const label = place === 'header' ? `header ${used.name}` : used.name;
	return { name: used.name, label, value: read(used), optional };
}

const parsed = new Map<Reference, Parsed>();

function parseReference(reference: Reference): Parsed {
	let result = parsed.get(reference);
	if (!result) {
		const [, place, names, mark] = /^(header|body|envelope):(.*?)(\??)$/.exec(reference) ?? [];
		const alternatives = names.split('|').map((name) => ({ name, path: parsePath(name) }));
		result = { place: place as Parsed['place'], alternatives, optional: mark === '?' };
		parsed.set(reference, result);
	}
	return result;
}
