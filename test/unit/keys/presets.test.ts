import { deriveKey } from '../../../keys/deriveKey';
import { applyPreset, candidates, detectSender, type Recognised } from '../../../keys/detect';
import { fingerprint } from '../../../keys/fingerprint';
import { parsePath } from '../../../keys/path';
import { presetById, PRESETS } from '../../../keys/presets';
import { HEADERS_ONLY, NO_WEBHOOK, SAMPLES, type Sample } from './samples';

type Json = Record<string, unknown>;

/** A copy with other values at some paths. */
function changed(event: Json, changes: Json): Json {
	const copy = structuredClone(event);
	for (const [text, value] of Object.entries(changes)) {
		const path = parsePath(text);
		const parent = path.slice(0, -1).reduce((at, name) => at[name] as Json, copy);
		parent[path[path.length - 1]] = value;
	}
	return copy;
}

function detected(json: Json): Recognised {
	const found = detectSender(json);
	if (!found) throw new Error('Not recognised');
	return found;
}

function keyOf(json: Json): string {
	const { preset, components } = detected(json);
	return deriveKey(preset.id, components).key;
}

const named = SAMPLES.map((sample): [string, Sample] => [
	[sample.preset, sample.variant, sample.kind].filter(Boolean).join(', '),
	sample,
]);

describe.each(named)('Preset %s', (_name, { preset, variant, tier, key, event, again, other }) => {
	it('is recognised by itself, or used if chosen', () => {
		const found = detected(event);
		expect(found).toMatchObject({ preset: { id: preset }, variant, recipe: { tier }, events: 1 });
		const chosen = presetById(preset);
		expect(chosen && applyPreset(event, chosen)).toEqual(found);
	});

	it('gives the expected key, and the same when the event is delivered again', () => {
		const redelivered = changed(event, again ?? {});
		expect(keyOf(event)).toBe(key);
		expect(keyOf(redelivered)).toBe(key);
		expect(fingerprint(redelivered, presetById(preset))).toBe(
			fingerprint(event, presetById(preset)),
		);
	});

	it('gives another event another key', () => {
		expect(keyOf(changed(event, other))).not.toBe(key);
	});

	it('leaves the item as it was', () => {
		const before = structuredClone(event);
		keyOf(event);
		expect(event).toEqual(before);
	});
});

describe('All presets', () => {
	it('are at least the 25 best known, each with a name and key of its own', () => {
		expect(PRESETS.length).toBeGreaterThanOrEqual(25);
		expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
		expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
		for (const { id } of PRESETS) {
			expect(id).toMatch(/^[a-z0-9-]+$/);
			expect(['field', 'composite', 'content', 'slot']).not.toContain(id);
		}
	});

	it.each(PRESETS.map(({ id }) => id))('%s has samples of both variants', (id) => {
		const variants = new Set(
			SAMPLES.filter(({ preset }) => preset === id).map(({ variant }) => variant),
		);
		const expected = [
			...(NO_WEBHOOK.includes(id) ? [] : ['webhook']),
			...(HEADERS_ONLY.includes(id) ? [] : ['trigger']),
		];
		expect([...variants].sort()).toEqual(expected.sort());
	});

	it('say why a key is only a weak one', () => {
		for (const { recipes } of PRESETS) {
			for (const { tier, because } of recipes) expect(Boolean(because)).toBe(tier === 'weak');
		}
	});

	it('do not take an event of one sender for one of another', () => {
		for (const [name, { preset, event }] of named) {
			const ids = [...candidates(event)].map((found) => found.preset.id);
			// Twilio sends its events as CloudEvents.
			const others = name === 'twilio, trigger' ? ['cloudevents'] : [];
			expect([name, ids]).toEqual([name, [preset, ...others]]);
		}
	});

	it('prefer the id of the sender to that of a gateway in between', () => {
		const [, stripe] = named[0];
		const forwarded = changed(stripe.event, { 'headers.x-hookdeck-event-id': 'evt_h1' });
		expect(keyOf(forwarded)).toBe(stripe.key);
	});
});

describe('Events that nobody knows', () => {
	it.each<[string, Json]>([
		['an empty item', {}],
		['an order', { id: 17, total: 5 }],
		['a webhook call', { headers: { 'x-request-id': '1' }, body: { id: 17 } }],
		['a call without a body', { headers: {}, body: '' }],
		['the time of a schedule', { timestamp: '2026-11-16T09:30:00Z', Hour: '09' }],
		['a Stripe object that is no event', { id: 'pi_1', object: 'payment_intent' }],
		['answers of a Typeform without ids', { 'Your name?': 'Ann' }],
		['GitLab without its key', { headers: { 'x-gitlab-event': 'Push Hook' }, body: {} }],
	])('%s: no sender is guessed', (_what, json) => {
		expect(detectSender(json)).toBeUndefined();
	});
});
