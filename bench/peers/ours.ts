import type { LedgerSettings } from '../../ledger/settings';
import { INPUT } from '../ledger/contestant';
import { fingerprint, openLedger } from '../product';
import type { Peer } from './Peer';

const NAMESPACE = 'wAbC3xYz9kLmN0pQ';
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
					const [claim] = await ledger.claimEvents([
						{
							namespace: NAMESPACE,
							key,
							// Every delivery is an execution of its own.
							claimant: {
								executionId: String(++executions),
								nodeId: 'b7d1f0c2-claim',
								runIndex: 0,
								itemIndex: 0,
							},
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
					const [completed] = await ledger.completeEvents([
						{ namespace: NAMESPACE, key, token: claim.token, result },
					]);
					if (!completed.ok) throw completed.error;
					return { got: 'result', result };
				},
				close: () => ledger.close(),
			};
		},
	};
}
