/** Text that is HTML already. Made by `markup`, so that nothing gets onto the page without being escaped. */
export class Html {
	constructor(readonly text: string) {}
}

export type Part = Html | string | number | undefined | false | Part[];

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'`': '&#96;',
};

/** Characters that cannot be seen, or turn the direction of the text around them: with them an amount can be made to look like another. */
const DECEPTIVE = /(?![\n\t])[\p{Cc}\p{Surrogate}\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** The text as people can see it, with a mark where it had something else. */
export function visible(text: string): string {
	return text.replace(/\r\n?/g, '\n').replace(DECEPTIVE, '\ufffd');
}

export function escape(text: string): string {
	return visible(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character]);
}

/** HTML with escaped values: markup`<p title="${title}">${text}</p>`. Attribute values need quotes around them. */
export function markup(literals: TemplateStringsArray, ...parts: Part[]): Html {
	return new Html(literals.reduce((text, literal, i) => text + render(parts[i - 1]) + literal));
}

function render(part: Part): string {
	if (part === undefined || part === false) return '';
	if (Array.isArray(part)) return part.map(render).join('');
	return part instanceof Html ? part.text : escape(String(part));
}
