import type { EventSummary } from '../records';
import type { StoredApproval, StoredDetails, StoredEvent, StoredStep } from '../Store';

/** A value in the reply of a script: text, a number, nothing, or a list of these. */
export type Value = string | number | null | Value[];

/** What a record holds for the scripts only. */
interface PrivateFields {
	token?: string;
	claimant?: string;
	outcome?: string;
	lease?: number;
	retention?: number;
	keepInput?: boolean;
	/** The attempt at which the event was released. */
	released?: number;
	/** How many history entries there were, including those dropped since. */
	entries?: number;
	/** The call of `take` that handed it out last. */
	taken?: string;
	steps?: string[];
	gates?: string[];
}

type Record = Omit<EventSummary, 'duplicates' | 'lastSeenAt'> & PrivateFields;
type Gate = Omit<StoredApproval, 'votes' | 'content'> & {
	votes?: Array<StoredApproval['votes'][number] & { id?: string; answer?: string }>;
};

/** Reads one value after the other, in the order in which the scripts write them. */
export class Reply {
	private next = 0;

	constructor(private readonly values: Value[]) {}

	get isAtEnd(): boolean {
		return this.next >= this.values.length;
	}

	/** Missing at the end is the same as nothing. */
	take(): Value {
		return this.values[this.next++] ?? null;
	}

	rest(): Value[] {
		return this.values.slice(this.next);
	}

	text(): string {
		return this.take() as string;
	}

	optionalText(): string | undefined {
		return (this.take() as string | null) ?? undefined;
	}

	number(): number {
		return Number(this.take());
	}

	/** An event, without values. Nothing when the reply ends here. */
	event(): { summary: EventSummary; steps: string[]; gates: string[] } | undefined {
		const text = this.optionalText();
		const duplicates = this.take();
		const lastSeenAt = this.take();
		if (text === undefined) return undefined;
		const { steps = [], gates = [], ...stored } = JSON.parse(text) as Record;
		const record = without(stored, ...OF_SCRIPTS);
		const summary = {
			...record,
			duplicates: Number(duplicates ?? 0),
			lastSeenAt: Number(lastSeenAt ?? record.createdAt),
		};
		return { summary, steps, gates };
	}

	summary(): EventSummary | undefined {
		return this.event()?.summary;
	}

	step(): StoredStep {
		const stored = JSON.parse(this.text()) as StoredStep & {
			claimant?: string;
			call?: string;
			undoUntil?: number;
			undoCall?: string;
			undoAttempt?: number;
		};
		const step = without(stored, 'claimant', 'call', 'undoUntil', 'undoCall', 'undoAttempt');
		return { ...step, ...this.texts('output', 'undo') };
	}

	approval(): StoredApproval {
		const { votes = [], ...gate } = JSON.parse(this.text()) as Gate;
		return {
			...gate,
			votes: votes.map((vote) => without(vote, 'id', 'answer')),
			...this.texts('content'),
		};
	}

	/** An event with its values, steps and gates as they are at `now`. */
	details(now: number): StoredDetails {
		const { summary, steps, gates } = this.event()!;
		const event: StoredEvent = { ...summary, ...this.texts('input', 'result') };
		return {
			event,
			steps: steps.map(() => this.step()),
			approvals: gates.map(() => expireIfOver(this.approval(), now)),
		};
	}

	/** Texts under these names, without those that are nothing. */
	texts<N extends string>(...names: N[]): { [name in N]?: string } {
		const found: { [name in N]?: string } = {};
		for (const name of names) {
			const text = this.optionalText();
			if (text !== undefined) found[name] = text;
		}
		return found;
	}
}

function expireIfOver(approval: StoredApproval, now: number): StoredApproval {
	const isOver = approval.expiresAt !== undefined && approval.expiresAt <= now;
	return approval.state === 'pending' && isOver ? { ...approval, state: 'expired' } : approval;
}

/** What records hold for the scripts alone. */
const OF_SCRIPTS = [
	'token',
	'claimant',
	'outcome',
	'lease',
	'retention',
	'keepInput',
	'released',
	'entries',
	'taken',
] as const;

function without<T extends object, N extends keyof T>(object: T, ...names: N[]): Omit<T, N> {
	const rest: Partial<T> = { ...object };
	for (const name of names) delete rest[name];
	return rest as Omit<T, N>;
}
