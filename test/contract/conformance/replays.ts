import type { StoredApproval } from '../../../ledger/Store';
import type { Case } from './Case';
import { at, claimCommand, HOUR, kinds, look, unchanged } from './helpers';

/**
 * A lost answer is harmless: the ledger repeats a command when a connection breaks, and the store may have carried it
 * out already. These drive the store itself, because the contract makes a new command of every call.
 */
export const replays: Case[] = [
	{
		name: 'the same claim again has the same outcome, whichever it won by, and changes nothing',
		async run(fixture) {
			const { store } = fixture;
			const address = at(fixture, 'k');
			const give = { ...address, as: 'failed', reason: 'It broke', retryAfter: 0 } as const;
			const claimTwice = async (token: string, outcome: string) => {
				const command = claimCommand(fixture, 'k', { token, input: '1' });
				const [first] = await store.claim([command]);
				expect(first.outcome).toBe(outcome);
				await unchanged(fixture, 'k', async () => {
					const [second] = await store.claim([command]);
					expect(second.outcome).toBe(outcome);
					expect(second.steps).toEqual(first.steps);
				});
			};
			await claimTwice('one', 'new');
			await claimTwice('two', 'resumed');
			const finish = { ...address, token: 'two', step: 'step', state: 'done' } as const;
			await store.finish([{ ...finish, output: '"sent"' }]);
			await fixture.expireLease(address);
			await claimTwice('three', 'recovered');
			await store.fail([{ ...give, token: 'three' }]);
			await claimTwice('four', 'retry');
			expect((await look(fixture, 'k')).event).toMatchObject({ attempt: 4, duplicates: 0 });
		},
	},
	{
		name: 'the same batch of claims again wins the same claims',
		async run(fixture) {
			const commands = ['a', 'b', 'c'].map((key) => claimCommand(fixture, key, { token: key }));
			await fixture.store.claim(commands.slice(0, 2));
			const replies = await fixture.store.claim(commands);
			expect(replies.map(({ outcome }) => outcome)).toEqual(['new', 'new', 'new']);
			for (const { key } of commands) expect(await kinds(fixture, key)).toEqual(['new']);
		},
	},
	{
		name: 'the same claim again with ordering is not stale because of itself',
		async run(fixture) {
			const command = claimCommand(fixture, 'k', { token: 'one', object: 'o', version: 5 });
			for (let i = 0; i < 2; i++) {
				expect((await fixture.store.claim([command]))[0].outcome).toBe('new');
			}
		},
	},
	{
		name: 'the same claim again after somebody else took over does not win a second time',
		async run(fixture) {
			const first = claimCommand(fixture, 'k', { token: 'one' });
			const other = { claimant: 'bob/node/0/0', executionId: 'bob' };
			await fixture.store.claim([first]);
			await fixture.expireLease(at(fixture, 'k'));
			const [taken] = await fixture.store.claim([
				claimCommand(fixture, 'k', { token: 'two', ...other }),
			]);
			expect(taken.outcome).toBe('recovered');
			const [late] = await fixture.store.claim([first]);
			expect(late.outcome).toBe('in_progress');
		},
	},
	{
		name: 'the same finish, complete, fail, renew and release again: repeated or the same',
		async run(fixture) {
			const { store } = fixture;
			for (const key of ['complete', 'fail', 'release']) {
				await store.claim([claimCommand(fixture, key, { token: 'token' })]);
				const held = { ...at(fixture, key), token: 'token' };
				const finish = { ...held, step: 'step', state: 'done', output: '1' } as const;
				const writes = {
					complete: () => store.complete([{ ...held, result: '"result"' }]),
					fail: () => store.fail([{ ...held, as: 'failed', reason: 'why', retryAfter: HOUR }]),
					release: () => store.release([{ ...held, reason: 'why' }]),
				};
				expect((await store.finish([finish]))[0].status).toBe('ok');
				expect((await store.finish([finish]))[0].status).toBe('repeated');
				const write = writes[key as keyof typeof writes];
				expect((await write())[0].status).toBe('ok');
				await unchanged(fixture, key, async () => {
					expect((await write())[0].status).toBe('repeated');
					expect((await store.finish([finish]))[0].status).toBe('repeated');
				});
			}
			const [repeated] = await store.complete([{ ...at(fixture, 'complete'), token: 'token' }]);
			expect(repeated).toMatchObject({ status: 'repeated', result: '"result"' });
		},
	},
	{
		name: 'the same request for approval again is the same request, and still new',
		async run(fixture) {
			const { store } = fixture;
			await store.claim([claimCommand(fixture, 'k', { token: 'token' })]);
			const command = {
				...at(fixture, 'k'),
				id: 'request',
				gate: 'gate',
				token: 'token',
				fingerprint: 'content',
				required: 1,
			};
			const [first] = await store.requestApprovals([command]);
			expect(first).toMatchObject({ status: 'ok', isNew: true });
			await unchanged(fixture, 'k', async () => {
				const [second] = await store.requestApprovals([command]);
				expect(second).toMatchObject({ status: 'ok', isNew: true, approval: first.approval });
			});
			expect(await kinds(fixture, 'k')).toEqual(['new', 'approval_requested']);
		},
	},
	{
		name: 'the same vote again gets the answer that it got, and is counted once',
		async run(fixture) {
			const { store } = fixture;
			await store.claim([claimCommand(fixture, 'k', { token: 'token' })]);
			const gate = { ...at(fixture, 'k'), gate: 'gate' };
			await store.requestApprovals([
				{ ...gate, id: 'request', token: 'token', fingerprint: 'content', required: 2 },
			]);
			const vote = (voteId: string, by: string) =>
				store.decideApproval({ ...gate, approvalId: 'request', voteId, decision: 'approved', by });
			const first = await vote('vote 1', 'olga');
			expect(first.outcome).toBe('voted');
			await unchanged(fixture, 'k', async () => {
				expect(await vote('vote 1', 'olga')).toEqual(first);
			});
			const second = await vote('vote 2', 'paul');
			expect(second.outcome).toBe('decided');
			await unchanged(fixture, 'k', async () => {
				expect(await vote('vote 2', 'paul')).toEqual(second);
				expect((await vote('vote 1', 'olga')).outcome).toBe('voted');
				expect((await vote('vote 3', 'rita')).outcome).toBe('already_decided');
			});
			const { votes } = second.approval as StoredApproval;
			expect(votes.map(({ by }) => by)).toEqual(['olga', 'paul']);
		},
	},
	{
		name: 'the same import again leaves the record alone',
		async run(fixture) {
			const command = { ...at(fixture, 'k'), result: '1', retention: HOUR };
			expect(await fixture.store.import([command, command])).toEqual([
				{ status: 'imported' },
				{ status: 'exists' },
			]);
			await unchanged(fixture, 'k', async () => {
				expect(await fixture.store.import([command])).toEqual([{ status: 'exists' }]);
			});
		},
	},
];
