import type { Ledger } from '../../../ledger/Ledger';
import type { EventAddress } from '../../../ledger/records';
import type { Backdoors } from '../conformance/Case';
import type { Passing } from './operations';

/** Lets time pass for an event, if time matters to it. */
export async function inTime(
	what: Passing,
	ledger: Ledger,
	backdoors: Backdoors,
	{ gate, ...address }: EventAddress & { gate: string },
): Promise<'passed' | 'nothing'> {
	const [found] = await ledger.get([address]);
	if (!found) return 'nothing';
	const { state, leaseUntil, dueAt } = found.event;
	const asked = found.approvals.find((approval) => approval.gate === gate);
	const pass: Record<Passing, (() => Promise<void>) | false> = {
		expireLease: state === 'processing' && (() => backdoors.expireLease(address)),
		// Only a pause has a lease while it waits.
		expirePause:
			state === 'waiting' && leaseUntil !== undefined && (() => backdoors.expirePause(address)),
		expireRecord: state === 'done' && (() => backdoors.expireRecord(address)),
		expireApproval:
			asked?.state === 'pending' &&
			asked.expiresAt !== undefined &&
			(() => backdoors.expireApproval(address, gate)),
		makeDue: state !== 'waiting' && dueAt !== undefined && (() => backdoors.makeDue(address)),
		expireUndos: () => backdoors.expireUndos(address),
	};
	const act = pass[what];
	if (!act) return 'nothing';
	await act();
	return 'passed';
}
