export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
export type Method = (typeof METHODS)[number];

/** RFC 9110 §9.2.2: asking twice has the effect of asking once. PATCH and POST promise nothing of the kind. */
export function isIdempotent(method: Method): boolean {
	return method !== 'POST' && method !== 'PATCH';
}

/** RFC 9110 §9.2.1: only reads, so that there is nothing to protect. */
export function isSafe(method: Method): boolean {
	return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
