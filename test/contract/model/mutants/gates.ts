import * as wire from '../../../../ledger/Store';
import type { Entry, Gate } from '../entry';
import { ModelLedger } from '../ModelLedger';
import type { Mutant } from './Mutant';

/** Where people decide. */
export const gateMutants: Mutant[] = [
	{
		fault: 'lets a later decision replace the first',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected vote(entry: Entry, gate: Gate, command: wire.DecisionCommand) {
				if (gate.approval.state !== 'expired') gate.approval.state = 'pending';
				return super.vote(entry, gate, command);
			}
		},
	},
	{
		fault: 'uses an approval for changed content',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected mustAsk(approval: wire.StoredApproval) {
				return approval.state === 'expired';
			}
		},
	},
	{
		fault: 'counts one person twice',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected hasVoted() {
				return false;
			}

			protected approvers({ votes }: wire.StoredApproval) {
				return votes.length;
			}
		},
	},
	{
		fault: 'keeps the same vote twice',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected hasVoted() {
				return false;
			}
		},
	},
	{
		fault: 'notices only the gate that was asked last when it expires',
		topic: 'approvals',
		beyondModel: 'times are not compared',
		store: class extends ModelLedger {
			protected nextExpiry({ gates }: Entry) {
				return [...gates.values()].at(-1)!.approval.expiresAt ?? wire.NEVER;
			}
		},
	},
	{
		fault: 'lets anybody fill the history',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected noteOne(command: wire.NoteCommand) {
				return super.noteOne({ ...command, limit: 1000 });
			}
		},
	},
	{
		fault: 'accepts decisions after the time is over',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected expireGate() {}
		},
	},
	{
		fault: 'counts the notes of all people together',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected noteOne(command: wire.NoteCommand) {
				const earlier = this.find(command)?.history.find(({ kind }) => kind === command.kind);
				return super.noteOne({ ...command, by: earlier?.by ?? command.by });
			}
		},
	},
	{
		fault: 'takes notes about a request that was replaced',
		topic: 'approvals',
		store: class extends ModelLedger {
			protected noteOne(command: wire.NoteCommand) {
				const { id } = this.find(command)?.gates.get(command.gate)?.approval ?? {};
				return super.noteOne({ ...command, approvalId: id ?? command.approvalId });
			}
		},
	},
];
