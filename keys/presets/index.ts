import { business } from './business';
import { commerce } from './commerce';
import { development } from './development';
import { mail } from './mail';
import { messaging } from './messaging';
import { payments } from './payments';
import { standards } from './standards';
import type { Preset } from './types';

export type { Evidence, Preset, Recipe, Tier, Variant } from './types';

/**
 * In the order in which a sender is looked for. A delivery that was recognised once has to be recognised
 * as the same for ever, or its key changes: what is added later must not match what is already here.
 */
export const PRESETS: readonly Preset[] = [
	...payments,
	...commerce,
	...development,
	...messaging,
	...mail,
	...business,
	...standards,
];

const byId = new Map(PRESETS.map((preset) => [preset.id, preset]));

export function presetById(id: string): Preset | undefined {
	return byId.get(id);
}
