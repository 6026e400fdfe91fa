import { hash } from 'node:crypto';

/** SHA-256 of the text as UTF-8, in lower-case hexadecimal: 64 characters. */
export function sha256(text: string): string {
	return hash('sha256', text, 'hex');
}
