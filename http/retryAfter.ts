/** Nobody means more; and a wait has to fit into a date. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * How long a server asks to be left alone, in milliseconds: `Retry-After: 120`, or a date, which is compared with the server's own
 * `Date` where it has one, so that its clock and ours need not agree. Undefined if it does not say.
 */
export function retryAfter(
	headers: Readonly<Record<string, unknown>>,
	now: number = Date.now(),
): number | undefined {
	const value = header(headers, 'retry-after')?.trim();
	if (value === undefined || value === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return limited(Number(value) * 1000);
	// Date.parse makes a date of nearly everything; a date of HTTP begins with the name of a day.
	if (!/^[A-Z][a-z]{2}/.test(value)) return undefined;
	const date = Date.parse(value);
	if (Number.isNaN(date)) return undefined;
	const theirNow = Date.parse(header(headers, 'date') ?? '');
	return limited(date - (Number.isNaN(theirNow) ? now : theirNow));
}

/** The value of a header, whatever the case of its name. */
export function header(
	headers: Readonly<Record<string, unknown>>,
	name: string,
): string | undefined {
	const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
	const value: unknown = Array.isArray(found?.[1]) ? found[1][0] : found?.[1];
	return value === undefined || value === null ? undefined : String(value);
}

function limited(ms: number): number {
	return Math.ceil(Math.min(Math.max(ms, 0), LONGEST_MS));
}
