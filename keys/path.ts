import { KeyError } from './errors';

/** Where a field is, from the outside in: `['body', 'items', '0', 'sku']`. */
export type Path = readonly string[];

const INDEX = /^\d+$/;
const SEGMENT = /\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]|([^.[\]]+)/g;

/** Reads `body.items[0].sku` and `body["event-data"].id`. */
export function parsePath(text: string): Path {
	const path = [...text.matchAll(SEGMENT)].map(([, ...groups]) =>
		(groups.find((group) => group !== undefined) ?? '').trim(),
	);
	if (path.length === 0 || path.includes('')) {
		throw new KeyError(`'${text}' is not the name of a field`, 'Use names like body.order.id');
	}
	return path;
}

/** Reads the path of a field of `root`; a field that really has dots in its name comes first. */
export function pathIn(root: unknown, text: string): Path {
	const name = text.trim();
	return isObject(root) && Object.hasOwn(root, name) ? [name] : parsePath(name);
}

/** Reads a list such as `body.id, body.total`, as n8n writes it when fields are dragged in. */
export function parseFieldList(text: string): string[] {
	return text
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

/**
 * The value at `path`, or undefined. A path that meets a list without naming a position means the field
 * of every element: `items.sku` of two items is a list of two values.
 */
export function select(value: unknown, path: Path): unknown {
	let current = value;
	for (let i = 0; i < path.length; i++) {
		if (Array.isArray(current) && !INDEX.test(path[i])) {
			return current.map((element) => select(element, path.slice(i)));
		}
		if (!isObject(current) || !Object.hasOwn(current, path[i])) return undefined;
		current = current[path[i]];
	}
	return current;
}

/**
 * A copy of `value` in which the field at `path` is what `change` makes of it; undefined removes the
 * field. Nothing that is reachable from `value` is touched, and a missing field stays missing.
 */
export function edit(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
	const [segment, ...rest] = path;
	if (segment === undefined) return change(value);
	if (Array.isArray(value) && !INDEX.test(segment)) {
		return value.map((element) => edit(element, path, change));
	}
	if (!isObject(value) || !Object.hasOwn(value, segment)) return value;

	const changed = edit(value[segment], rest, change);
	if (Array.isArray(value)) {
		return value.flatMap((element: unknown, i) =>
			i !== Number(segment) ? [element] : changed === undefined ? [] : [changed],
		);
	}
	// Not by assignment, which would change the prototype if the field is called `__proto__`.
	const entries = Object.entries(value).map(([name, field]) => [
		name,
		name === segment ? changed : field,
	]);
	return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** A copy without the fields of these names. */
export function without(object: object, names: readonly string[]): Record<string, unknown> {
	const copy: Record<string, unknown> = { ...object };
	for (const name of names) if (Object.hasOwn(copy, name)) delete copy[name];
	return copy;
}
