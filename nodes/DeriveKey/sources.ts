import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { canonicalJson } from '../../keys/canonicalJson';
import { contentHash, eventContent, isWebhookItem, type ContentChoice } from '../../keys/content';
import type { Component } from '../../keys/deriveKey';
import { applyPreset, detectSender, type Recognised } from '../../keys/detect';
import { KeyError } from '../../keys/errors';
import { fingerprint, type FingerprintChoice } from '../../keys/fingerprint';
import { sha256 } from '../../keys/hash';
import { normalise, type NormaliseRule } from '../../keys/normalise';
import { parseFieldList } from '../../keys/path';
import { presetById, type Preset } from '../../keys/presets';
import { scheduleSlot, type SlotLength, type SlotUnit } from '../../keys/scheduleSlot';
import { splitBatch } from '../../keys/splitBatch';
import { itemParameter } from '../shared/itemParameter';

export type Source = 'auto' | 'preset' | 'field' | 'composite' | 'content' | 'schedule';

export interface Settings {
	fingerprint: FingerprintChoice;
	split: boolean;
}

/** What identifies one event of an item. */
export interface Derivation {
	/** The item's data; if its events were split, the part with this one. */
	json: IDataObject;
	/** The second part of the key: what kind of components follow. */
	label: string;
	components: Component[];
	fingerprint: string;
	recognised?: Recognised;
}

/** Derives the keys of one item. Evaluates every parameter of the item once. */
export type Reader = (item: INodeExecutionData, itemIndex: number) => Derivation[];

/**
 * For every source a function that reads what is the same for all items, and returns the one that reads
 * the rest item by item.
 */
export const readerFor: Record<Source, (node: IExecuteFunctions, settings: Settings) => Reader> = {
	auto: (_node, settings) => (item) => {
		const recognised = detectSender(item.json);
		if (!recognised) {
			throw new KeyError(
				'The sender of this event was not recognised',
				"Set 'Source' to 'Field or Expression' or 'Composite' and choose what identifies the event, or to 'Provider Preset' if the sender is in the list",
			);
		}
		return events(item.json, recognised, settings);
	},

	preset: (node, settings) => {
		const preset = presetById(node.getNodeParameter('preset', 0) as string);
		return ({ json }) => {
			if (!preset) {
				throw new KeyError('This preset does not exist', "Choose a 'Sender' from the list");
			}
			return events(json, recognise(json, preset), settings);
		};
	},

	field: (node, settings) => {
		const rules = node.getNodeParameter('valueRules', 0, []) as NormaliseRule[];
		const value = itemParameter(node, 'value');
		return (item, i) => {
			const components = [component('Value', value(item, i), rules)];
			return [chosen(item.json, 'field', components, settings)];
		};
	},

	composite: (node, settings) => {
		const values = itemParameter(node, 'components.values', []);
		return (item, i) => {
			const written = values(item, i) as Array<{
				name?: string;
				value?: unknown;
				rules?: NormaliseRule[];
			}>;
			const components = written.map(({ name, value, rules }, n) =>
				component(name?.trim() || `component ${n + 1}`, value, rules),
			);
			return [chosen(item.json, 'composite', components, settings)];
		};
	},

	content: (node, settings) => {
		const choice = contentChoice(node);
		return ({ json }) => {
			const hash = contentHash(choice.only ? json : eventContent(json), choice);
			// The fields that make the key are those that define the event: they cannot contradict it.
			const print = hasChoice(settings) ? fingerprint(json, undefined, settings.fingerprint) : hash;
			const components = [component('content', hash)];
			return [{ json, label: 'content', components, fingerprint: print }];
		};
	},

	schedule: (node) => {
		const length: SlotLength = {
			size: node.getNodeParameter('slotSize', 0) as number,
			unit: node.getNodeParameter('slotUnit', 0) as SlotUnit,
		};
		const timeZone = (node.getNodeParameter('timezone', 0) as string) || node.getTimezone();
		const workflowId = node.getWorkflow().id;
		return ({ json }, i) => {
			const name = (node.getNodeParameter('scheduleName', i) as string) || workflowId;
			const slot = scheduleSlot(node.getNodeParameter('scheduledTime', i), length, timeZone);
			const components = [component('schedule', name), component('slot', slot)];
			// The trigger gives out the time to the millisecond, which is not what the slot is about.
			const print = sha256(canonicalJson([name ?? null, slot]));
			return [{ json, label: 'slot', components, fingerprint: print }];
		};
	},
};

/** Parameters that take an expression, by source; hints are about what is written in them. */
export function expressionsOf(node: IExecuteFunctions, source: Source): Map<string, string> {
	const { parameters } = node.getNode();
	const written = new Map<string, string>();
	if (source === 'field') written.set('Value', String(parameters.value ?? ''));
	if (source === 'composite') {
		const { values = [] } = (parameters.components ?? {}) as { values?: IDataObject[] };
		values.forEach(({ name, value }, n) => {
			written.set(String(name ?? '').trim() || `component ${n + 1}`, String(value ?? ''));
		});
	}
	return written;
}

function component(name: string, value: unknown, rules: NormaliseRule[] = []): Component {
	return { name, value: normalise(value, rules), optional: rules.includes('dropEmpty') };
}

function chosen(
	json: IDataObject,
	label: string,
	components: Component[],
	settings: Settings,
): Derivation {
	return {
		json,
		label,
		components,
		fingerprint: fingerprint(json, undefined, settings.fingerprint),
	};
}

function contentChoice(node: IExecuteFunctions): ContentChoice {
	const which = node.getNodeParameter('hashFields', 0) as 'all' | 'only' | 'except';
	const rules = node.getNodeParameter('normalise.rules', 0, []) as ContentChoice['normalise'];
	const names = which === 'all' ? [] : parseFieldList(node.getNodeParameter('fields', 0) as string);
	if (which !== 'all' && names.length === 0) {
		throw new KeyError("'Fields' is empty", 'Name the fields, separated by commas');
	}
	return { [which === 'only' ? 'only' : 'except']: names, normalise: rules };
}

function hasChoice({ fingerprint: { only = [], except = [] } }: Settings): boolean {
	return only.length > 0 || except.length > 0;
}

function recognise(json: IDataObject, preset: Preset): Recognised {
	const recognised = applyPreset(json, preset);
	if (recognised) return recognised;
	const wanted = preset.recipes.map(({ use }) => use.join(' + ')).join(', or ');
	throw new KeyError(
		`This does not look like an event from ${preset.name}`,
		preset.advice ??
			`Check the sender. The preset looks for: ${wanted.replace(/\b(header|body|envelope):/g, '$1 ')}`,
	);
}

function events(json: IDataObject, recognised: Recognised, settings: Settings): Derivation[] {
	const { preset, variant } = recognised;
	if (recognised.events === 1) return [ofPreset(json, recognised, settings)];
	if (!settings.split) {
		throw new KeyError(
			`This request carries ${recognised.events} events, and each needs a key of its own`,
			"Turn on the option 'Split Batches' to get one item per event",
		);
	}
	const body = isWebhookItem(json) ? json.body : json;
	return splitBatch(body, preset.batch ?? []).map((part) => {
		const partJson = (variant === 'webhook' ? { ...json, body: part } : part) as IDataObject;
		return ofPreset(partJson, recognise(partJson, preset), settings);
	});
}

function ofPreset(json: IDataObject, recognised: Recognised, settings: Settings): Derivation {
	const { preset, components } = recognised;
	return {
		json,
		label: preset.id,
		components,
		fingerprint: fingerprint(json, preset, settings.fingerprint),
		recognised,
	};
}
