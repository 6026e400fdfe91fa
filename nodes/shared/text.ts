/** What a field has in it, without the white space around it. Nothing is undefined, and so is white space alone. */
export function text(value: unknown): string | undefined {
	if (value === null || value === undefined) return undefined;
	const trimmed = (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
	return trimmed === '' ? undefined : trimmed;
}
