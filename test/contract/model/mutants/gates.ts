import type { DecisionResult } from '../../../../ledger/Ledger';
import type { Approval, Event } from '../../../../ledger/rules/Event';
import { RULES } from '../../../../ledger/rules/RuleBook';
import { NEVER } from '../../../../ledger/stores/RecordStore';
import { withGates, writesAsking, writesBy, writesGiving, writesSeeing } from './breaking';
import type { Mutant } from './Mutant';

function gateOf(event: Event | undefined, gate: string): Approval | undefined {
	return event?.approvals.find((approval) => approval.gate === gate);
}

/** Where people decide. */
export const gateMutants: Mutant[] = [
	{
		fault: 'lets a later decision replace the first',
		topic: 'deciding',
		invariant: 6,
		rules: writesSeeing(['decideApproval'], (event) =>
			withGates(event, (gate) => ({
				...gate,
				state: gate.state === 'expired' ? gate.state : 'pending',
			})),
		),
	},
	{
		fault: 'uses an approval for changed content',
		topic: 'approvals',
		invariant: 5,
		rules: writesAsking(['requestApproval'], ({ gate, fingerprint }, event) => {
			const asked = gateOf(event, gate);
			return { fingerprint: asked && asked.state !== 'expired' ? asked.fingerprint : fingerprint };
		}),
	},
	{
		fault: 'counts one person twice',
		topic: 'deciding',
		invariant: 6,
		rules: writesSeeing(['decideApproval'], (event) =>
			withGates(event, (gate) => ({
				...gate,
				votes: gate.votes.map((vote, i) => ({ ...vote, by: `${vote.by} ${i}` })),
			})),
		),
	},
	{
		fault: 'keeps the same vote twice',
		topic: 'deciding',
		invariant: 7,
		rules: writesGiving(
			['decideApproval'],
			({ reply, event }, found, { gate, by, decision }, now) => {
				const { outcome } = reply as DecisionResult;
				if (event || outcome !== 'voted') return {};
				const vote = { by, decision, at: now };
				return {
					event: {
						...found.event!,
						...withGates(found.event!, (asked) =>
							asked.gate === gate ? { ...asked, votes: [...asked.votes, vote] } : asked,
						),
					},
				};
			},
		),
	},
	{
		fault: 'notices only the gate that was asked last when it expires',
		topic: 'gates',
		invariant: 8,
		rules: writesGiving(['requestApproval', 'decideApproval'], ({ event }) =>
			event?.state === 'waiting'
				? { event: { ...event, dueAt: event.approvals.at(-1)!.expiresAt ?? NEVER } }
				: {},
		),
	},
	{
		fault: 'does not record that a gate expired while another one is pending',
		formerly: 'L4',
		topic: 'gates',
		invariant: 11,
		rules: writesGiving(
			['requestApproval', 'decideApproval'],
			({ history, counts, event }, found, { gate }) => {
				const others = found.event?.approvals.some(
					(other) => other.gate !== gate && other.state === 'pending',
				);
				if (!others || !event) return {};
				return {
					history: history.filter(({ kind }) => kind !== 'approval_expired'),
					counts: counts.filter(({ kind }) => kind !== 'approval_expired'),
				};
			},
		),
	},
	{
		fault: 'lets anybody fill the history',
		topic: 'notes',
		invariant: 7,
		rules: writesAsking(['noteApproval'], () => ({ limit: 1000 })),
	},
	{
		fault: 'forgets how often something was noted when the history is full',
		topic: 'notes',
		invariant: 10,
		beyondModel: 'it needs long histories',
		rules: writesSeeing(['noteApproval'], (event) =>
			event.entries < 80 ? {} : withGates(event, (gate) => ({ ...gate, notes: {} })),
		),
	},
	{
		fault: 'accepts decisions after the time is over',
		topic: 'gates',
		invariant: 5,
		rules: writesSeeing(['decideApproval'], (event) =>
			withGates(event, (gate) => ({ ...gate, expiresAt: undefined })),
		),
	},
	{
		fault: 'takes a gate that nobody decided in time for approved',
		topic: 'gates',
		invariant: 5,
		rules: writesBy(['requestApproval', 'decideApproval'], (found, command, now) => {
			const { event, steps, contents, result } = found;
			const passed = event && {
				...event,
				...withGates(event, (gate) =>
					gate.state === 'pending' && (gate.expiresAt ?? Infinity) <= now
						? { ...gate, state: 'approved', decidedAt: now, decidedBy: 'nobody' }
						: gate,
				),
			};
			return RULES.write({ event: passed, steps, contents, result }, command, now);
		}),
	},
	{
		fault: 'counts the notes of all people together',
		topic: 'notes',
		invariant: 7,
		rules: writesSeeing(['noteApproval'], (event, { note, by }) =>
			withGates(event, ({ notes = {}, ...gate }) => {
				const counts = Object.entries(notes).filter(([name]) => name.startsWith(note));
				const sum = counts.reduce((total, [, count]) => total + count, 0);
				return { ...gate, notes: { ...notes, [`${note} ${by}`]: sum } };
			}),
		),
	},
	{
		fault: 'takes notes about a request that was replaced',
		topic: 'notes',
		invariant: 10,
		rules: writesAsking(['noteApproval'], ({ gate, approvalId }, event) => ({
			approvalId: gateOf(event, gate)?.id ?? approvalId,
		})),
	},
	{
		fault: 'takes decisions about a request that was replaced',
		topic: 'deciding',
		invariant: 6,
		rules: writesAsking(['decideApproval'], ({ gate, approvalId }, event) => ({
			approvalId: gateOf(event, gate)?.id ?? approvalId,
		})),
	},
];
