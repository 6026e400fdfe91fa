import type {
	ApprovalResult,
	BeginStepResult,
	DecisionResult,
	FinishStepResult,
	ItemResult,
	NoteResult,
	TakeUndosResult,
	WriteResult,
} from '../Ledger';
import { decideApproval, noteApproval, requestApproval } from './approval';
import type { WriteCommand } from './commands';
import type { Decision, Found } from './Event';
import { complete, fail, pause, release, renew } from './lifecycle';
import { begin, finish, resolve } from './step';
import { take, type TakeReply } from './take';
import { markUndone, takeUndos } from './undo';

/** What each kind of command is answered. */
export interface Replies {
	begin: ItemResult<BeginStepResult>;
	finish: ItemResult<FinishStepResult>;
	resolve: ItemResult<FinishStepResult>;
	takeUndos: ItemResult<TakeUndosResult>;
	markUndone: ItemResult<FinishStepResult>;
	complete: ItemResult<WriteResult>;
	fail: ItemResult<WriteResult>;
	renew: ItemResult<WriteResult>;
	pause: ItemResult<WriteResult>;
	release: ItemResult<WriteResult>;
	requestApproval: ItemResult<ApprovalResult>;
	decideApproval: DecisionResult;
	noteApproval: NoteResult;
	take: TakeReply;
}

export type Reply = Replies[keyof Replies];

/** The rule book: what becomes of an event under a command, at a time. Pure. */
export function decide(found: Found, command: WriteCommand, now: number): Decision<Reply> {
	switch (command.kind) {
		case 'begin':
			return begin(found, command, now);
		case 'finish':
			return finish(found, command, now);
		case 'resolve':
			return resolve(found, command, now);
		case 'takeUndos':
			return takeUndos(found, command, now);
		case 'markUndone':
			return markUndone(found, command, now);
		case 'complete':
			return complete(found, command, now);
		case 'fail':
			return fail(found, command, now);
		case 'renew':
			return renew(found, command, now);
		case 'pause':
			return pause(found, command, now);
		case 'release':
			return release(found, command, now);
		case 'requestApproval':
			return requestApproval(found, command, now);
		case 'decideApproval':
			return decideApproval(found, command, now);
		case 'noteApproval':
			return noteApproval(found, command, now);
		case 'take':
			return take(found, command, now);
	}
}
