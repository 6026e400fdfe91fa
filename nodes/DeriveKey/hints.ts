import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { isObject } from '../../keys/path';
import {
	allEqual,
	changesEveryRun,
	disclosures,
	hidesHoles,
	suspicions,
	type Suspicion,
} from '../../keys/suspects';
import { madeInWorkflow } from './provenance';
import { expressionsOf, type Derivation, type Source } from './sources';

/**
 * What a person should know about the keys of a run although they could be made. Each is said once,
 * however many items it is about.
 */
export class Findings {
	private readonly messages = new Set<string>();

	private readonly keys: string[] = [];

	/** Components about which the expression has said all there is to say. */
	private readonly explained = new Set<string>();

	constructor(
		private readonly node: IExecuteFunctions,
		private readonly source: Source,
		private readonly hashed: boolean,
	) {
		for (const [name, expression] of expressionsOf(node, source)) this.read(name, expression);
	}

	observe({ json, recognised, components }: Derivation, key: string, itemIndex: number): void {
		this.keys.push(key);
		if (recognised) {
			const { preset, recipe } = recognised;
			if (recipe.because) {
				this.messages.add(
					`${preset.name}: only a weaker key was possible. ${recipe.because}. The key was put together from ${recognised.field}.`,
				);
			}
			if ((recipe.evidence ?? preset.evidence) === 'unverified') {
				this.messages.add(
					`${preset.name}: this preset is not verified. Send one event twice and compare the keys before you rely on it.`,
				);
			}
		}
		this.inspectClaim(json.idempotency, key);
		// Content hashes and slots are made of nothing that could be suspicious.
		if (this.source === 'content' || this.source === 'schedule') return;
		// Looking for a value's origin takes time, and the first item speaks for all.
		const suspicionsOf = itemIndex === 0 ? suspicions : disclosures;
		for (const { name, value } of components) {
			for (const suspicion of suspicionsOf(name, value))
				this.suspect(name, value, suspicion, itemIndex);
		}
	}

	hints(): NodeExecutionHint[] {
		if (allEqual(this.keys)) {
			this.messages.add(
				`All ${this.keys.length} items have the same key, so all but the first count as duplicates. Check that the key is made of something that differs from event to event.`,
			);
		}
		return [...this.messages].map((message) => ({
			message,
			type: 'warning',
			location: 'outputPane',
		}));
	}

	/** What can be seen in an expression before it has a value. */
	private read(name: string, expression: string): void {
		const changing = changesEveryRun(expression);
		if (changing) {
			this.explained.add(name);
			this.messages.add(
				`'${name}' uses ${changing}, which is another value on every run: a repeated delivery would get a new key.`,
			);
		}
		if (hidesHoles(expression)) {
			this.messages.add(
				`'${name}' puts several parts together, and a part that is missing would go unnoticed. Use the source 'Composite' with one component per part.`,
			);
		}
	}

	private suspect(name: string, value: unknown, suspicion: Suspicion, itemIndex: number): void {
		switch (suspicion) {
			case 'email':
			case 'phone':
				if (this.hashed) return;
				this.messages.add(
					`'${name}' looks like ${suspicion === 'email' ? 'an email address' : 'a phone number'}, which would be readable in the ledger. Turn on the option 'Hash Key'.`,
				);
				return;
			case 'rounded':
				this.messages.add(
					`'${name}' is a number with more digits than n8n can hold exactly, so neighbouring numbers would get the same key. Have it sent as text if you can.`,
				);
				return;
			case 'timestamp':
			case 'random': {
				if (this.source !== 'field' && this.source !== 'composite') return;
				if (this.explained.has(name)) return;
				if (!madeInWorkflow(this.node, String(value), itemIndex)) return;
				this.messages.add(
					`'${name}' looks like ${suspicion === 'timestamp' ? 'the time of this run' : 'a random ID'} and was made in this workflow: a repeated delivery would get a new key. Use something the sender sent.`,
				);
			}
		}
	}

	private inspectClaim(before: unknown, key: string): void {
		if (!isObject(before) || before.claimed !== true || before.key === key) return;
		this.messages.add(
			'An item already carries a claim on another key. Derive both keys before the first Claim Event, or the claim is looked for under the wrong key.',
		);
	}
}
