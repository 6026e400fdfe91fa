import type { Removal } from '../RecordStore';
import { REMOVAL } from './columns';
import { inOrder } from './inOrder';
import type { Runner } from './Runner';

/** Which items of the statement were there, and which of these were removed. */
interface Row {
	seen: number[];
	removed: number[];
}

export async function remove(runner: Runner, removals: Removal[]): Promise<boolean[]> {
	const replies = new Array<boolean>(removals.length).fill(false);
	let { places } = inOrder(removals, ({ key }) => key);
	while (places.length > 0) {
		const asked = places;
		const items = asked.map((place) => removals[place]);
		const [{ seen, removed }] = await runner.runFor<Removal, Row>('remove.sql', REMOVAL, items);
		for (const index of removed) replies[asked[index]] = true;
		// The others were written to, or removed, while the statement waited for them.
		places = seen.map((index) => asked[index]).filter((place) => !replies[place]);
	}
	return replies;
}
