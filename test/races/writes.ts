import { setTimeout as sleep } from 'node:timers/promises';

import type { Ledger } from '../../ledger/Ledger';
import { claimantOf } from './executions';
import { CONTENT, type Hand } from './Hand';

/** A kind of write: what has to be there before, and the one call whose answer may get lost. */
export interface WriteCase {
	before?(hand: Hand): Promise<unknown>;
	write(hand: Hand, prepared: unknown): Promise<unknown>;
	/** Its namespace does not occur in what the store is sent. */
	isAboutAll?: true;
	/** When it is repeated, there is nothing left to do, and the reply says so. */
	isGoneThen?: true;
}

/** So short that it is over at once, by the clock of the store too. */
const SHORT_MS = 1;
const OPERATOR = { by: 'olga' };

const claimed = async (hand: Hand) => await hand.claim();

const begun = async (hand: Hand) => {
	await hand.claim();
	await hand.begin('invoice');
};

const finished = async (hand: Hand) => {
	await begun(hand);
	await hand.finish('invoice', { undo: { cancel: 'invoice' } });
};

const failed = async (hand: Hand) => {
	await hand.claim();
	await hand.fail();
};

const stopped = async (hand: Hand) => {
	await hand.claim({ leaseMs: SHORT_MS });
	await sleep(5 * SHORT_MS);
};

const stoppedInStep = async (hand: Hand) => {
	await hand.claim({ leaseMs: SHORT_MS });
	await hand.begin('invoice');
	await sleep(5 * SHORT_MS);
	await hand.claim({ onStopped: 'takeover' });
};

const forgotten = async (hand: Hand) => {
	await hand.claim({ retentionMs: SHORT_MS });
	await hand.complete();
	await sleep(5 * SHORT_MS);
};

const asked = async (hand: Hand) => {
	await hand.claim();
	return await askForTwo(hand);
};

async function askForTwo(hand: Hand): Promise<string> {
	const result = await hand.ask({ required: 2 });
	if (!result.ok) throw result.error;
	return result.value.approval.id;
}

async function decide(
	{ ledger, address }: Hand,
	approvalId: string,
	by: string,
	decision: 'approved' | 'rejected' = 'approved',
) {
	return await ledger.decideApproval({ ...address, gate: 'manager', approvalId, by, decision });
}

const resolve = (hand: Hand, resolution: 'happened' | 'did_not_happen') =>
	hand.ledger.resolveSteps([{ ...hand.address, step: 'invoice', resolution, ...OPERATOR }]);

const take = ({ ledger, address: { namespace } }: Hand, kind: 'stuck' | 'failed') =>
	ledger.take({ kinds: [kind], namespace, by: 'trigger' });

export const CLAIMS: Record<string, WriteCase> = {
	'claim: new': { write: (hand) => hand.claim({ input: { amount: 7 } }) },
	'claim: three events, one of them twice': {
		write: ({ ledger, address: { namespace } }) =>
			ledger.claimEvents(
				['a', 'b', 'a', 'c'].map((key, i) => ({
					namespace,
					key,
					claimant: claimantOf('batch', i),
				})),
			),
	},
	'claim: retry': { before: failed, write: (hand) => hand.other('two').claim({ input: 2 }) },
	'claim: recovered': {
		before: stopped,
		write: (hand) => hand.other('two').claim({ onStopped: 'takeover' }),
	},
	'claim: to review': { before: stopped, write: (hand) => hand.other('two').claim() },
	'claim: resumed': { before: claimed, write: (hand) => hand.claim() },
	'claim: resumed by another execution': {
		before: claimed,
		write: (hand) => hand.other('two').claim({ actsFor: hand.held.holder }),
	},
	'claim: conflict': {
		before: claimed,
		write: (hand) => hand.other('two').claim({ fingerprint: 'other', input: 2 }),
	},
	'claim: newest version': {
		write: (hand) => hand.claim({ ordering: { object: 'order', version: 3 } }),
	},
	'claim: superseded': {
		before: async (hand) => {
			await hand.claim({ ordering: { object: 'order', version: 3 } });
			await hand.fail();
			const next = { ...hand.address, key: 'next', claimant: claimantOf('next') };
			await hand.ledger.claimEvents([{ ...next, ordering: { object: 'order', version: 4 } }]);
		},
		write: (hand) => hand.other('two').claim({ ordering: { object: 'order', version: 3 } }),
	},
	'claim: over an expired record': {
		before: forgotten,
		write: (hand) => hand.other('two').claim({ input: 2 }),
	},
	'import: new': { write: ({ ledger, address }) => ledger.importRecords([address]) },
	'import: over an expired record': {
		before: forgotten,
		write: ({ ledger, address }) => ledger.importRecords([{ ...address, result: 2 }]),
	},
};

/** Deliveries that are turned away. They change nothing but how many there were. */
export const TURNED_AWAY: Record<string, WriteCase> = {
	'claim: duplicate': {
		before: async (hand) => {
			await hand.claim();
			await hand.complete();
		},
		write: (hand) => hand.other('two').claim(),
	},
	'claim: in progress': { before: claimed, write: (hand) => hand.other('two').claim() },
	'claim: waiting': { before: asked, write: (hand) => hand.other('two').claim() },
	'claim: in review': {
		before: async (hand) => {
			await hand.claim();
			await hand.fail('review');
		},
		write: (hand) => hand.other('two').claim(),
	},
	'claim: double submit': {
		before: (hand) => hand.claim({ alias: 'order 7' }),
		write: ({ ledger, address: { namespace } }) =>
			ledger.claimEvents([
				{ namespace, key: 'other', alias: 'order 7', claimant: claimantOf('two') },
			]),
	},
	'claim: stale, without a record': {
		before: (hand) => hand.claim({ ordering: { object: 'order', version: 3 } }),
		write: ({ ledger, address: { namespace } }) => {
			const ordering = { object: 'order', version: 2 };
			return ledger.claimEvents([
				{ namespace, key: 'older', claimant: claimantOf('two'), ordering },
			]);
		},
	},
};

export const STEPS: Record<string, WriteCase> = {
	begin: { before: claimed, write: (hand) => hand.begin('invoice') },
	'begin: a row': { before: claimed, write: (hand) => hand.begin('invoice', { row: '7' }) },
	'begin: again after a failure': {
		before: async (hand) => {
			await begun(hand);
			await hand.finish('invoice', { state: 'failed', output: undefined, error: 'No luck' });
		},
		write: (hand) => hand.begin('invoice'),
	},
	'begin: in doubt, repeated': {
		before: stoppedInStep,
		write: (hand) => hand.begin('invoice', { whenInDoubt: 'repeat' }),
	},
	'begin: in doubt, to review': { before: stoppedInStep, write: (hand) => hand.begin('invoice') },
	finish: { before: begun, write: (hand) => hand.finish('invoice', { externalId: 'in_7' }) },
	'finish: failed': {
		before: begun,
		write: (hand) => hand.finish('invoice', { state: 'failed', error: 'No luck' }),
	},
	'finish: never begun': { before: claimed, write: (hand) => hand.finish('invoice') },
	'resolve: happened': {
		before: async (hand) => {
			await begun(hand);
			await hand.fail('review');
		},
		write: (hand) => resolve(hand, 'happened'),
	},
	'resolve: did not happen': {
		before: async (hand) => {
			await begun(hand);
			await hand.fail('review');
		},
		write: (hand) => resolve(hand, 'did_not_happen'),
	},
	'take undos: holder': { before: finished, write: (hand) => hand.takeUndos() },
	'take undos: operator': {
		before: async (hand) => {
			await finished(hand);
			await hand.fail();
		},
		write: ({ ledger, address }) => ledger.takeUndos([{ ...address, ...OPERATOR }]),
	},
	'mark undone: holder': { before: finished, write: (hand) => hand.markUndone('invoice') },
	'mark undone: operator': {
		before: async (hand) => {
			await finished(hand);
			await hand.fail();
		},
		write: ({ ledger, address }) =>
			ledger.markUndone([{ ...address, step: 'invoice', ...OPERATOR }]),
	},
};

export const EVENTS: Record<string, WriteCase> = {
	complete: { before: finished, write: (hand) => hand.complete() },
	'complete: rescued': {
		before: async (hand) => {
			await failed(hand);
			await hand.claim();
		},
		write: (hand) => hand.complete(),
	},
	'complete: operator': {
		before: failed,
		write: ({ ledger, address }) => ledger.completeEvents([{ ...address, result: 1, ...OPERATOR }]),
	},
	fail: { before: claimed, write: (hand) => hand.fail() },
	'fail: to review': { before: claimed, write: (hand) => hand.fail('review') },
	'fail: operator': {
		before: claimed,
		write: ({ ledger, address }) =>
			ledger.failEvents([{ ...address, reason: 'No luck', ...OPERATOR }]),
	},
	'fail: all of an execution': {
		before: claimed,
		write: ({ ledger, held: { holder } }) =>
			ledger.failByExecution({ ...holder, reason: 'It crashed' }),
	},
	renew: { before: claimed, write: (hand) => hand.renew() },
	pause: { before: claimed, write: (hand) => hand.pause() },
	'renew: after a pause': {
		before: async (hand) => {
			await hand.claim();
			await hand.pause();
		},
		write: (hand) => hand.renew(),
	},
	release: { before: claimed, write: (hand) => hand.release() },
	'release: operator': {
		before: claimed,
		write: ({ ledger, address }) => ledger.releaseEvents([{ ...address, ...OPERATOR }]),
	},
};

export const GATES: Record<string, WriteCase> = {
	'ask: holder': { before: claimed, write: (hand) => hand.ask() },
	'ask: nobody’s claim': {
		before: claimed,
		write: (hand) => hand.ask({ holder: undefined, attempt: undefined }),
	},
	'ask: changed content': {
		before: asked,
		write: (hand) => hand.ask({ fingerprint: `${CONTENT}, changed` }),
	},
	'decide: one of two': { before: asked, write: (hand, id) => decide(hand, id as string, 'ann') },
	'decide: two of two': {
		before: async (hand) => {
			const id = (await asked(hand)) as string;
			await decide(hand, id, 'ann');
			return id;
		},
		write: (hand, id) => decide(hand, id as string, 'bob'),
	},
	'decide: rejected': {
		before: asked,
		write: (hand, id) => decide(hand, id as string, 'ann', 'rejected'),
	},
	note: {
		before: asked,
		write: ({ ledger, address }, id) =>
			ledger.noteApproval({
				...address,
				gate: 'manager',
				approvalId: id as string,
				kind: 'approval_shown',
				by: 'ann',
				limit: 5,
			}),
	},
};

export const UPKEEP: Record<string, WriteCase> = {
	'take: stuck': { before: stopped, write: (hand) => take(hand, 'stuck') },
	'take: failed': { before: failed, write: (hand) => take(hand, 'failed') },
	'register a recovery': {
		write: async ({ ledger, address: { namespace } }) => {
			await ledger.registerRecovery({ by: 'trigger', namespace, forMs: 60_000 });
			return (await ledger.recoveries()).filter((recovery) => recovery.namespace === namespace);
		},
	},
	secret: { write: ({ ledger, address: { namespace } }) => sameSecretTwice(ledger, namespace) },
	delete: {
		before: finished,
		write: ({ ledger, address }) => ledger.deleteEvents([{ ...address, ...OPERATOR }]),
		isGoneThen: true,
	},
	purge: {
		before: forgotten,
		write: ({ ledger }) => ledger.purge(),
		isAboutAll: true,
		isGoneThen: true,
	},
};

async function sameSecretTwice(ledger: Ledger, name: string): Promise<boolean> {
	return (await ledger.secret(name)) === (await ledger.secret(name));
}

export const WRITES: Record<string, WriteCase> = {
	...CLAIMS,
	...TURNED_AWAY,
	...STEPS,
	...EVENTS,
	...GATES,
	...UPKEEP,
};
