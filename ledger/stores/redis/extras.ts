/** What an insertion may have that is more than one string. */
import type { Insertion } from '../RecordStore';
import { isLarge } from './recordText';

export type WithContent = Insertion & { fingerprint: string };
export type WithAlias = Insertion & { alias: string };

export function isWide(insertion: Insertion): boolean {
	const { findSameContent, input, result } = insertion;
	return findSameContent === true || hasAlias(insertion) || isLarge(input) || isLarge(result);
}

export function asksForSameContent(insertion: Insertion): insertion is WithContent {
	return insertion.findSameContent === true && insertion.fingerprint !== undefined;
}

export function hasAlias(insertion: Insertion): insertion is WithAlias {
	return insertion.alias !== undefined;
}

/** What decides about the shard of a content, and names it there. */
export function contentOf({ fingerprint, namespace }: WithContent): string {
	return `${fingerprint}\0${namespace}`;
}

/** What decides about the shard of an alias, and names it there. */
export function nameOfAlias({ alias, namespace }: WithAlias): string {
	return `${alias}\0${namespace}`;
}
