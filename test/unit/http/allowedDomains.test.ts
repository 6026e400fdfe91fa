import { isDomainAllowed } from '../../../http/allowedDomains';

it.each<[string, string, boolean]>([
	['https://api.x.example/a', 'api.x.example', true],
	['https://API.x.example./a', ' api.X.example , other.example', true],
	['https://api.x.example/a', 'x.example', false],
	['https://api.x.example/a', '*.x.example', true],
	['https://x.example/a', '*.x.example', false],
	['https://evilx.example/a', '*.x.example', false],
	['https://x.example.evil.example/a', 'x.example', false],
	['https://x.example@evil.example/a', 'x.example', false],
	['https://x.example/a', '', false],
	['https://x.example/a', '*', false],
])('%s is within %j: %s', (url, allowed, expected) => {
	expect(isDomainAllowed(url, allowed)).toBe(expected);
});
