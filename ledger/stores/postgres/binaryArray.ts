/** The types of columns, and how Postgres numbers them. */
const OIDS = { text: 25, bigint: 20, boolean: 16, 'double precision': 701 };

export type ColumnType = keyof typeof OIDS;
export type ColumnValue = string | number | boolean | undefined;

/** The most bytes of an element; a text has at most three for each of its UTF-16 units. */
const ELEMENT_BYTES = { text: 3, bigint: 8, boolean: 1, 'double precision': 8 };

const LENGTH_BYTES = 4;

/** Written to before it is known how long the array becomes. Kept, because fresh memory takes longer than what is written to it. */
let draft = Buffer.allocUnsafeSlow(64 * 1024);

/** A larger draft is not kept. */
const LARGEST_DRAFT = 4 * 1024 * 1024;

/** An array in Postgres' binary format: lengths and bytes, without quotes to write and to parse. */
export function binaryArray(type: ColumnType, values: readonly ColumnValue[]): Buffer {
	const [dimensions, hasNulls, firstIndex] = [1, 1, 1];
	const header = [dimensions, hasNulls, OIDS[type], values.length, firstIndex];
	const buffer = draftOf(LENGTH_BYTES * header.length + mostBytes(type, values));
	let end = 0;
	for (const number of header) end = buffer.writeInt32BE(number, end);
	for (const value of values) {
		const start = end + LENGTH_BYTES;
		const length = value === undefined ? -1 : writeElement(buffer, type, value, start);
		buffer.writeInt32BE(length, end);
		end = start + Math.max(length, 0);
	}
	return Buffer.from(buffer.subarray(0, end));
}

function draftOf(size: number): Buffer {
	if (size <= draft.length) return draft;
	const larger = Buffer.allocUnsafeSlow(size);
	if (size <= LARGEST_DRAFT) draft = larger;
	return larger;
}

function mostBytes(type: ColumnType, values: readonly ColumnValue[]): number {
	let elements = values.length;
	if (type === 'text') {
		elements = 0;
		for (const value of values) elements += value === undefined ? 0 : (value as string).length;
	}
	return values.length * LENGTH_BYTES + elements * ELEMENT_BYTES[type];
}

/** Returns the number of bytes. */
function writeElement(
	buffer: Buffer,
	type: ColumnType,
	value: NonNullable<ColumnValue>,
	start: number,
): number {
	if (type === 'text') return buffer.write(value as string, start);
	if (type === 'boolean') return buffer.writeUInt8(Number(value), start) - start;
	if (type === 'double precision') return buffer.writeDoubleBE(value as number, start) - start;
	return writeBigint(buffer, value as number, start);
}

/** In two halves, because a number is exact up to 2^53 and a BigInt is slow to make. */
function writeBigint(buffer: Buffer, value: number, start: number): number {
	buffer.writeInt32BE(Math.floor(value / 2 ** 32), start);
	return buffer.writeUInt32BE(value >>> 0, start + 4) - start;
}
