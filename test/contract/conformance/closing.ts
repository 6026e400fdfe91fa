import { LedgerClosedError } from '../../../ledger/errors';
import type { Case } from './Case';
import { ALICE, at, heldBy, look } from './helpers';

export const closing: Case[] = [
	{
		name: 'closing twice is fine, every other call fails afterwards, other ledgers go on',
		async run(fixture) {
			const ledger = await fixture.openAnother();
			const address = at(fixture, 'k');
			const held = { ...address, ...heldBy(ALICE, 1) };
			await ledger.claimEvents([{ ...address, claimant: ALICE }]);
			await ledger.close();
			await ledger.close();
			const calls: Array<() => Promise<unknown>> = [
				() => ledger.claimEvents([{ ...address, claimant: ALICE }]),
				() => ledger.beginSteps([{ ...held, step: 'step', claimant: ALICE }]),
				() => ledger.finishSteps([{ ...held, step: 'step' }]),
				() => ledger.completeEvents([held]),
				() => ledger.failEvents([{ ...held, reason: 'why' }]),
				() => ledger.renewLeases([held]),
				() => ledger.releaseEvents([held]),
				() => ledger.failByExecution({ instance: 'n8n', executionId: 'alice', reason: 'why' }),
				() => ledger.pauseEvents([held]),
				() => ledger.resolveSteps([{ ...address, step: 's', by: 'olga', resolution: 'happened' }]),
				() => ledger.takeUndos([held]),
				() => ledger.markUndone([{ ...held, step: 'step' }]),
				() => ledger.requestApprovals([{ ...address, gate: 'gate', fingerprint: 'content' }]),
				() =>
					ledger.decideApproval({
						...address,
						gate: 'gate',
						approvalId: 'id',
						decision: 'approved',
						by: 'olga',
					}),
				() =>
					ledger.noteApproval({
						...address,
						gate: 'gate',
						approvalId: 'id',
						kind: 'approval_shown',
						by: 'olga',
						limit: 1,
					}),
				() => ledger.deleteEvents([{ ...address, by: 'olga' }]),
				() => ledger.secret('name'),
				() => ledger.registerRecovery({ by: 'olga', forMs: 1 }),
				() => ledger.recoveries(),
				() => ledger.get([address]),
				() => ledger.list({}),
				() => ledger.history(address),
				() => ledger.histories([address]),
				() => ledger.stats(),
				() => ledger.take({ kinds: ['failed'], by: 'olga' }),
				() => ledger.importRecords([address]),
				() => ledger.purge(),
				() => ledger.check(),
				() => ledger.claimEvents([]),
			];
			for (const call of calls) await expect(call()).rejects.toThrow(LedgerClosedError);
			expect((await look(fixture, 'k')).event.state).toBe('processing');
		},
	},
];
