import { canonicalJson } from './canonicalJson';
import { chooseContent, eventContent } from './content';
import { eventIn } from './detect';
import { sha256 } from './hash';
import { edit, pathIn } from './path';
import type { Preset } from './presets';

export interface FingerprintChoice {
	/** Only these fields of the item. */
	only?: readonly string[];
	/** All but these fields of the item. */
	except?: readonly string[];
}

/**
 * The hash of what an event says, to notice when one key stands for two different events.
 *
 * Without a choice it covers, for a known sender, the event without the fields that are known to change
 * between its deliveries, and never the headers or the other events of the same request; for any other
 * item all of it, but of a webhook call neither headers nor address.
 */
export function fingerprint(
	json: Record<string, unknown>,
	preset: Preset | undefined,
	{ only = [], except = [] }: FingerprintChoice = {},
): string {
	return sha256(canonicalJson(content(), { loneSurrogates: 'escape' }));

	function content(): unknown {
		if (only.length > 0) return chooseContent(json, { only });
		// What our own nodes added is no part of the event, or a second derivation would differ.
		if (!preset) return eventContent(withoutFields(json, except));
		return chooseContent(eventIn(withoutFields(json, ['idempotency', ...except]), preset) ?? {}, {
			except: preset.volatile,
		});
	}
}

function withoutFields(
	json: Record<string, unknown>,
	fields: readonly string[],
): Record<string, unknown> {
	return fields.reduce<unknown>(
		(rest, field) => edit(rest, pathIn(rest, field), () => undefined),
		json,
	) as Record<string, unknown>;
}
