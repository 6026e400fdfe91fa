/** The type of the elements, as Postgres numbers it. */
const TEXT = 25;

/** A `text[]` as Postgres sends it itself: lengths and bytes, of which neither side has to write or read quotes. */
export function textArray(texts: ReadonlyArray<string | undefined>): Buffer {
	const [dimensions, hasNulls, firstIndex] = [1, 1, 1];
	const header = [dimensions, hasNulls, TEXT, texts.length, firstIndex];
	// A character has at most three bytes; what is not used is never touched.
	const most = texts.reduce((sum, text) => sum + 4 + 3 * (text?.length ?? 0), 4 * header.length);
	const buffer = Buffer.allocUnsafe(most);
	let end = 0;
	for (const number of header) end = buffer.writeInt32BE(number, end);
	for (let i = 0; i < texts.length; i++) {
		const text = texts[i];
		const length = text === undefined ? -1 : buffer.write(text, end + 4);
		end = buffer.writeInt32BE(length, end) + Math.max(length, 0);
	}
	return buffer.subarray(0, end);
}
