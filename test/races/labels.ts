/** How an item of a batch ended, in a word: the name of its error, `repeated` or `ok`. */
export function labelOf(item: unknown): string {
	const { ok, error, value } = item as {
		ok: boolean;
		/** Only its name comes from another process. */
		error?: string | Error;
		value?: { repeated?: boolean };
	};
	if (!ok) return error instanceof Error ? error.name : error!;
	return value?.repeated ? 'repeated' : 'ok';
}
