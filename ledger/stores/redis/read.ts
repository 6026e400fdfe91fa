import type { FullRecord, Wanted } from '../RecordStore';
import { idOf, recordKey } from './keys';
import { addValue, readSummary } from './recordText';
import type { Shards, Value } from './Shards';

export async function readRecords(
	shards: Shards,
	wanted: Wanted[],
): Promise<{ now: number; records: Array<FullRecord | undefined> }> {
	const records: Array<FullRecord | undefined> = [];
	const times = await Promise.all(
		shards.group(wanted, idOf).map(async ({ shard, items, positions }) => {
			const args = items.map((item) => {
				const { values, history, parts } = item;
				return JSON.stringify({ key: recordKey(shard, idOf(item)), values, history, parts });
			});
			const [now, ...found] = (await shards.run('read', shard, args)) as Value[];
			positions.forEach((position, i) => {
				const reply = found[i] as string[] | null;
				records[position] = reply ? readReply(items[i], reply) : undefined;
			});
			return now as number;
		}),
	);
	return { now: Math.max(...times), records };
}

function readReply(wanted: Wanted, reply: string[]): FullRecord {
	const [summary, input, result, history, ...parts] = reply;
	const record: FullRecord = readSummary(wanted, summary);
	addValue(record, 'input', input);
	addValue(record, 'result', result);
	if (wanted.history) record.history = history;
	if (wanted.parts) {
		record.parts = [];
		for (let i = 0; i < parts.length; i += 3) {
			const [name, externalId, text] = parts.slice(i, i + 3);
			record.parts.push({ name, text, ...(externalId !== '' && { externalId }) });
		}
	}
	return record;
}
