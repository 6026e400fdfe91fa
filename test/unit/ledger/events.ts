import { newEvent } from '../../../ledger/rules/claim';
import type { ClaimCommand } from '../../../ledger/rules/commands';
import type { Approval, Event, Step } from '../../../ledger/rules/Event';

/** Events as the rules see them, for tests that need no store. */

export const NOW = 1_800_000_000_000;
export const HOUR = 60 * 60 * 1000;

export const ALICE = { instance: 'n8n', executionId: 'alice', nonce: "alice's nonce" };
export const BOB = { instance: 'n8n', executionId: 'bob', nonce: "bob's nonce" };

export function claimCommand(change: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		namespace: 'ns',
		key: 'k',
		holder: ALICE,
		claimant: 'alice/node/0/0',
		leaseMs: HOUR,
		retentionMs: 24 * HOUR,
		maxAttempts: 3,
		onStopped: 'takeover',
		call: 'this call',
		...change,
	};
}

/** Alice's, claimed an hour ago, and live. */
export function event(change: Partial<Event> = {}): Event {
	return {
		...newEvent(claimCommand({ call: 'the first call' }), NOW - HOUR),
		leaseUntil: NOW + HOUR,
		dueAt: NOW + HOUR,
		entries: 1,
		...change,
	};
}

export function step(change: Partial<Step> = {}): Step {
	return {
		name: 'step',
		state: 'started',
		attempt: 1,
		tries: 1,
		executionId: 'alice',
		startedAt: NOW - HOUR,
		position: 0,
		...change,
	};
}

export function approval(change: Partial<Approval> = {}): Approval {
	return {
		id: 'request',
		gate: 'gate',
		state: 'pending',
		fingerprint: 'content',
		required: 1,
		votes: [],
		requestedAt: NOW - HOUR,
		...change,
	};
}
