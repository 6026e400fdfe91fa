import type { IExecuteFunctions } from 'n8n-workflow';

import { Output, type Routed } from '../../../../nodes/ClaimEvent/routing';
import { noteOnExecution } from '../../../../nodes/ClaimEvent/summary';

/** What is noted on an execution for these keys. */
function noted(keys: string[], before?: string): string | undefined {
	const notes = new Map<string, string>();
	if (before !== undefined) notes.set('idempotency_key', before);
	const customData = {
		get: (name: string) => notes.get(name),
		set: (name: string, value: string) => notes.set(name, value),
	};
	const routed = keys.map(
		(key): Routed => ({ output: Output.New, outcome: 'new', key, item: { json: {} } }),
	);
	noteOnExecution({ customData } as unknown as IExecuteFunctions, routed);
	return notes.get('idempotency_key');
}

describe('The keys that are noted on an execution', () => {
	it('are noted once each, after those of earlier runs', () => {
		expect(noted(['a', 'b', 'a'])).toBe('a, b');
		expect(noted(['b', 'c', 'b'], 'a')).toBe('a, b, c');
	});

	it('fill what room there is, however many there are and however short', () => {
		const keys = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(0x4e00 + i));
		expect(noted(keys)).toBe(keys.join(', ').slice(0, 255));
	});

	it('include one that comes after many repeats of another', () => {
		expect(noted([...Array<string>(999).fill('a'), 'b'])).toBe('a, b');
	});
});
