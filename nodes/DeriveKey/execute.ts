import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { deriveKey } from '../../keys/deriveKey';
import { KeyError } from '../../keys/errors';
import { isObject, parseFieldList, without } from '../../keys/path';
import { reclaimedEventOf } from '../shared/item/reclaimedEvent';
import { Findings } from './hints';
import { readerFor, type Derivation, type Reader, type Settings, type Source } from './sources';

interface Options {
	fingerprintFields?: string;
	fingerprintIgnoredFields?: string;
	hashKey?: boolean;
	keepComponents?: boolean;
	splitBatches?: boolean;
}

/** Adds `idempotency` with the key of its event to every item. */
export function execute(node: IExecuteFunctions): INodeExecutionData[] {
	const source = node.getNodeParameter('source', 0) as Source;
	const options = node.getNodeParameter('options', 0, {}) as Options;
	const settings: Settings = {
		fingerprint: {
			only: parseFieldList(options.fingerprintFields ?? ''),
			except: parseFieldList(options.fingerprintIgnoredFields ?? ''),
		},
		split: options.splitBatches ?? false,
	};
	const findings = new Findings(node, source, options.hashKey ?? false);
	const reclaimed = reclaimedEventOf(node);
	let read: Reader | undefined;

	const output: INodeExecutionData[] = [];
	const items = node.getInputData();
	for (let i = 0; i < items.length; i++) {
		const item = items[i];
		// The ledger knows its key, also when this workflow would make another of it by now.
		if (reclaimed(item)) {
			output.push({ ...item, pairedItem: { item: i } });
			continue;
		}
		try {
			// In here, so that a setting that is wrong for all items is handled like one that is for some.
			read ??= readerFor[source](node, settings);
			const derived = read(item, i).map((derivation) => {
				const idempotency = describe(derivation, source, options);
				findings.observe(derivation, String(idempotency.key), i);
				return outputItem(item, i, derivation.json, idempotency);
			});
			output.push(...derived);
		} catch (error) {
			const explained = explain(node, error as Error, i);
			if (!node.continueOnFail()) throw explained;
			output.push({ json: item.json, error: explained, pairedItem: { item: i } });
		}
	}

	// Older versions of n8n do not have it.
	node.addExecutionHints?.(...findings.hints());
	return output;
}

function describe(derivation: Derivation, source: Source, options: Options): IDataObject {
	const { label, recognised, fingerprint } = derivation;
	const hash = options.hashKey ?? false;
	const { key, components } = deriveKey(label, derivation.components, { hash });
	const derived = (options.keepComponents ?? !hash) ? { key, components } : { key };
	if (!recognised) return { ...derived, source, tier: 'chosen', fingerprint };
	return {
		...derived,
		source,
		preset: recognised.preset.id,
		variant: recognised.variant,
		field: recognised.field,
		evidence: recognised.recipe.evidence ?? recognised.preset.evidence,
		tier: recognised.recipe.tier ?? 'chosen',
		fingerprint,
	};
}

/** What a derivation writes; an earlier one leaves nothing of it behind. */
const OWN_FIELDS = [
	'key',
	'components',
	'source',
	'preset',
	'variant',
	'field',
	'evidence',
	'tier',
	'fingerprint',
];

function outputItem(
	item: INodeExecutionData,
	itemIndex: number,
	json: IDataObject,
	idempotency: IDataObject,
): INodeExecutionData {
	const before = json.idempotency;
	const all = isObject(before) ? { ...without(before, OWN_FIELDS), ...idempotency } : idempotency;
	const output = { json: { ...json, idempotency: all }, pairedItem: { item: itemIndex } };
	return item.binary ? { ...output, binary: item.binary } : output;
}

function explain(node: IExecuteFunctions, error: Error, itemIndex: number): NodeOperationError {
	if (!(error instanceof KeyError)) {
		return new NodeOperationError(node.getNode(), error, { itemIndex });
	}
	return new NodeOperationError(node.getNode(), error.message, {
		description: error.remedy,
		itemIndex,
	});
}
