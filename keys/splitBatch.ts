import { edit, isObject, parsePath, type Path } from './path';

/** `''` is the body itself. */
function pathOf(place: string): Path {
	return place === '' ? [] : parsePath(place);
}

/** The events that one request carries, in their order. Nothing is copied. */
export function eventsOf(body: unknown, places: readonly string[]): unknown[] {
	return places.flatMap((place) => listed(body, pathOf(place)) ?? []);
}

/**
 * One body per event. Each keeps the form of the whole, with one event where there were many, so that
 * what reads `body[0]` or `body.events[0]` works for all of them.
 */
export function splitBatch(body: unknown, places: readonly string[]): unknown[] {
	const present = places.map(pathOf).filter((path) => listed(body, path)?.length);
	return present.flatMap((path) => {
		const others = present.filter((other) => other !== path);
		const alone = others.reduce((rest, other) => edit(rest, other, () => undefined), body);
		return splitAt(alone, path);
	});
}

function splitAt(value: unknown, path: Path): unknown[] {
	if (Array.isArray(value)) {
		return value.flatMap((element) => splitAt(element, path).map((part) => [part]));
	}
	const [name, ...rest] = path;
	if (name === undefined) return [value];
	if (!isObject(value) || !Object.hasOwn(value, name)) return [];
	return splitAt(value[name], rest).map((part) => ({ ...value, [name]: part }));
}

/** The elements of the lists on the way along `path`; undefined if there is no list. */
function listed(value: unknown, path: Path): unknown[] | undefined {
	if (Array.isArray(value)) {
		// What has no list further in is an event itself.
		return value.flatMap((element) => listed(element, path) ?? leaf(element, path));
	}
	const [name, ...rest] = path;
	if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return undefined;
	return listed(value[name], rest);
}

/** What is at the end of the path if no list is on it any more. */
function leaf(value: unknown, [name, ...rest]: Path): unknown[] {
	if (name === undefined) return [value];
	return isObject(value) && Object.hasOwn(value, name) ? leaf(value[name], rest) : [];
}
