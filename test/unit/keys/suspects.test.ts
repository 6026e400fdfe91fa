import { allEqual, changesEveryRun, hidesHoles, suspicions } from '../../../keys/suspects';

const NOW = Date.parse('2026-11-16T09:30:00Z');

describe('Suspicious components', () => {
	it.each<[string, unknown, string[]]>([
		['at', '2026-11-16T09:29:58Z', ['timestamp']],
		['at', NOW - 1000, ['timestamp']],
		['at', Math.floor(NOW / 1000), ['timestamp']],
		['at', String(NOW), ['timestamp']],
		['at', '2026-11-16T08:00:00Z', []],
		['count', 17, []],
		['id', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', ['random']],
		['id', 'V1StGXR8_Z5jdHi6B-myT', ['random']],
		['id', 0.8444218515250481, ['random']],
		['id', 'evt_1NG8Du2eZvKYlo2CUI79vXWy', ['random']],
		['id', 'order-2026-000017', []],
		['to', 'ann@example.com', ['email']],
		['to', 'Ann <ann@example.com>', ['email']],
		['message', '<CAF=1234@mail.example.com>', []],
		['number', '+49 170 1234567', ['phone']],
		['phone', '0170 1234567', ['phone']],
		['order', '5551234567', []],
		['id', Number('820982911946154508'), ['rounded']],
	])('%s %j: %j', (name, value, expected) => {
		expect(suspicions(name, value, NOW)).toEqual(expected);
	});

	it('takes no longer for text that is made to be slow', () => {
		const before = process.cpuUsage();
		for (const slow of ['x'.repeat(200_000), 'x@'.repeat(100_000), '+1 '.repeat(70_000)]) {
			suspicions('id', slow, NOW);
		}
		expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
	});

	it('notices when all keys of a batch are equal', () => {
		expect(allEqual(['a', 'a'])).toBe(true);
		expect(allEqual(['a', 'b'])).toBe(false);
		expect(allEqual(['a'])).toBe(false);
		expect(allEqual([])).toBe(false);
	});
});

describe('Suspicious expressions', () => {
	it.each([
		['={{ $now }}', '$now'],
		['={{ $json.id + Date.now() }}', 'Date.now'],
		['={{ $execution.id }}', '$execution.id'],
		['={{ $json.headers["x-request-id"] }}', 'x-request-id'],
		['={{ $json.nowhere }}', undefined],
		['$now', undefined],
	])('%s uses %s', (expression, part) => {
		expect(changesEveryRun(expression)).toBe(part);
	});

	it.each([
		['={{ $json.id }}', false],
		['={{ $json.a + $json.b }}', false],
		['=order-{{ $json.id }}', true],
		['={{ $json.a }}{{ $json.b }}', true],
		['order-17', false],
	])('%s hides a hole: %s', (expression, hides) => {
		expect(hidesHoles(expression)).toBe(hides);
	});
});
