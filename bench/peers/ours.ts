import type { LedgerSettings } from '../../ledger/settings';
import { INPUT, NAMESPACE } from '../ledger/contestant';
import { claimantOf, executionOf } from '../ledger/execution';
import { fingerprint, openLedger } from '../product';
import type { Peer } from './Peer';

let executions = 0;

/** The ledger, called as the nodes call it with their defaults. */
export function ours(settings: LedgerSettings): Peer {
	return {
		name: 'this package',
		setup:
			'`claimEvents`, with the content’s fingerprint and the input to be kept for recovery, and `completeEvents` with the result: ' +
			'one round trip each. Calls of a process that meet others under way travel together.',
		async open(work) {
			const ledger = await openLedger(settings);
			return {
				async run(key) {
					// Every delivery is an execution of its own.
					const execution = executionOf(String(++executions));
					const [claim] = await ledger.claimEvents([
						{
							namespace: NAMESPACE,
							key,
							claimant: claimantOf(execution),
							workflowId: NAMESPACE,
							fingerprint: fingerprint(INPUT, undefined),
							input: INPUT,
						},
					]);
					if (!claim.claimed) {
						if (claim.outcome === 'in_progress') return { got: 'in progress' };
						if (claim.outcome !== 'duplicate') throw new Error(claim.outcome);
						return { got: 'result', result: claim.event?.result ?? null };
					}
					const result = await work(key);
					const { attempt } = claim.event;
					const [completed] = await ledger.completeEvents([
						{ namespace: NAMESPACE, key, holder: execution, attempt, result },
					]);
					if (!completed.ok) throw completed.error;
					return { got: 'result', result };
				},
				close: () => ledger.close(),
			};
		},
	};
}
