import { createHash } from 'node:crypto';

export interface Part {
	name: string;
	content: string | Buffer;
	/** Makes a file of it. */
	filename?: string;
	contentType?: string;
}

/** A multipart body (RFC 7578). The boundary comes from the seed, so that every attempt sends the same bytes. */
export function multipart(parts: Part[], seed: string): { contentType: string; content: Buffer } {
	const boundary = `----n8n-idempotency-${createHash('sha256').update(seed).digest('hex').slice(0, 32)}`;
	const chunks = parts.flatMap(({ name, content, filename, contentType }) => {
		const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
		const type = contentType ?? (filename === undefined ? undefined : 'application/octet-stream');
		const head = [
			`--${boundary}`,
			`Content-Disposition: form-data; name="${quoted(name)}"${file}`,
			...(type === undefined ? [] : [`Content-Type: ${type.replace(/[\r\n]+/g, ' ')}`]),
			'',
			'',
		].join('\r\n');
		return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
	});
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		content: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
	};
}

/** As browsers write names: RFC 7578 leaves it to them. */
function quoted(text: string): string {
	return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
