import type { Insertion, Mark, Removal, Swap, Wanted } from '../RecordStore';
import type { Columns } from './given';

// What the statements read from each item of a call.

export const INSERTION: Columns<Insertion> = {
	namespace: { type: 'text', of: (item) => item.namespace },
	key: { type: 'text', of: (item) => item.key },
	revision: { type: 'bigint', of: (item) => item.revision },
	state: { type: 'text', of: (item) => item.state },
	due_after: { type: 'bigint', of: (item) => item.dueAfterMs },
	expires_after: { type: 'bigint', of: (item) => item.expiresAfterMs },
	execution_id: { type: 'text', of: (item) => item.executionId },
	fingerprint: { type: 'text', of: (item) => item.fingerprint },
	external_id: { type: 'text', of: (item) => item.externalId },
	alias: { type: 'text', of: (item) => item.alias },
	body: { type: 'text', of: (item) => item.body },
	input: { type: 'text', of: (item) => item.input },
	result: { type: 'text', of: (item) => item.result },
	is_delivery: { type: 'boolean', of: (item) => item.isDelivery ?? false },
	finds_same: { type: 'boolean', of: (item) => item.findSameContent ?? false },
};

export const WANTED: Columns<Wanted> = {
	namespace: { type: 'text', of: (item) => item.namespace },
	key: { type: 'text', of: (item) => item.key },
	all_parts: { type: 'boolean', of: (item) => item.parts === 'all' },
	parts: { type: 'text', of: (item) => jsonUnlessEmpty(item.parts) },
	wants_values: { type: 'boolean', of: (item) => item.values ?? false },
	wants_history: { type: 'boolean', of: (item) => item.history ?? false },
};

export const SWAP: Columns<Swap> = {
	namespace: { type: 'text', of: (item) => item.namespace },
	key: { type: 'text', of: (item) => item.key },
	revision: { type: 'bigint', of: (item) => item.revision },
	state: { type: 'text', of: (item) => item.head.state },
	created_at: { type: 'bigint', of: (item) => item.head.createdAt },
	due_at: { type: 'bigint', of: (item) => item.head.dueAt },
	expires_at: { type: 'bigint', of: (item) => item.head.expiresAt },
	execution_id: { type: 'text', of: (item) => item.head.executionId },
	fingerprint: { type: 'text', of: (item) => item.head.fingerprint },
	external_id: { type: 'text', of: (item) => item.head.externalId },
	alias: { type: 'text', of: (item) => item.head.alias },
	body: { type: 'text', of: (item) => item.body },
	keeps_input: { type: 'boolean', of: (item) => item.input === undefined },
	input: { type: 'text', of: (item) => item.input ?? undefined },
	keeps_result: { type: 'boolean', of: (item) => item.result === undefined },
	result: { type: 'text', of: (item) => item.result ?? undefined },
	// The first part and count in columns, because few swaps have more, and JSON takes longer to read.
	part_name: { type: 'text', of: ({ parts: [first] }) => first?.name },
	part_text: { type: 'text', of: ({ parts: [first] }) => first?.text },
	part_external_id: { type: 'text', of: ({ parts: [first] }) => first?.externalId },
	more_parts: { type: 'text', of: (item) => jsonUnlessEmpty(item.parts.slice(1)) },
	append: { type: 'text', of: (item) => item.append || undefined },
	rotate: { type: 'boolean', of: (item) => item.rotate },
	duplicates: { type: 'bigint', of: (item) => item.duplicates },
	last_seen_at: { type: 'bigint', of: (item) => item.lastSeenAt },
	count_kind: { type: 'text', of: ({ counts: [first] }) => first?.kind },
	count_n: { type: 'bigint', of: ({ counts: [first] }) => first?.n },
	more_counts: { type: 'text', of: (item) => jsonUnlessEmpty(item.counts.slice(1)) },
};

export const REMOVAL: Columns<Removal> = {
	namespace: { type: 'text', of: (item) => item.namespace },
	key: { type: 'text', of: (item) => item.key },
	only_if_expired: { type: 'boolean', of: (item) => item.onlyIfExpired ?? false },
	object: { type: 'text', of: (item) => item.mark?.object },
	version: { type: 'double precision', of: (item) => item.mark?.version },
};

export const MARK: Columns<Mark> = {
	namespace: { type: 'text', of: (item) => item.namespace },
	object: { type: 'text', of: (item) => item.object },
	version: { type: 'double precision', of: (item) => item.version },
	retention: { type: 'bigint', of: (item) => item.retentionMs },
};

function jsonUnlessEmpty(list: unknown): string | undefined {
	return Array.isArray(list) && list.length > 0 ? JSON.stringify(list) : undefined;
}
