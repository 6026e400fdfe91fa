import type { Kind } from './operations';

/** What happens in life, and hardly ever by chance. Each operation still varies, but they are about the same things. */
export const STORIES: ReadonlyArray<readonly Kind[]> = [
	['claim', 'begin', 'expireLease', 'claim', 'begin'],
	['claim', 'begin', 'finish', 'fail', 'claim', 'begin', 'complete'],
	['claim', 'finish', 'expireLease', 'claim', 'begin', 'finish', 'complete', 'claim'],
	['claim', 'begin', 'expireLease', 'claim', 'begin', 'resolve', 'release', 'claim', 'begin'],
	['claim', 'begin', 'fail', 'resolve', 'resolve', 'claim', 'begin', 'finish', 'complete'],
	['claim', 'ask', 'decide', 'decide', 'decide', 'begin'],
	['claim', 'ask', 'expireApproval', 'decide', 'ask', 'renew'],
	['claim', 'begin', 'ask', 'expireApproval', 'complete', 'complete', 'finish', 'complete'],
	['claim', 'ask', 'ask', 'expireApproval', 'decide', 'ask', 'decide', 'complete'],
	['claim', 'ask', 'note', 'note', 'note', 'ask', 'note'],
	['claim', 'pause', 'claim', 'begin', 'finish', 'complete'],
	['claim', 'pause', 'expirePause', 'take', 'take', 'take', 'claim', 'begin'],
	['claim', 'ask', 'pause', 'decide', 'pause', 'ask', 'decide', 'renew'],
	['claim', 'finish', 'complete', 'complete', 'claim', 'expireRecord', 'claim', 'begin'],
	['claim', 'complete', 'release', 'claim', 'fail', 'claim', 'complete', 'claim'],
	['claim', 'complete', 'expireRecord', 'import', 'claim', 'release', 'claim'],
	['claim', 'expireLease', 'take', 'claim', 'take', 'fail', 'take'],
	['claim', 'fail', 'claim', 'fail', 'release', 'take', 'claim', 'makeDue', 'take', 'take'],
	['claim', 'claim', 'begin', 'finish', 'complete'],
	['claim', 'fail', 'claim', 'fail', 'claim', 'fail', 'claim', 'release', 'claim'],
	['claim', 'fail', 'take', 'claim', 'fail', 'take', 'makeDue', 'take', 'release', 'take'],
	['claim', 'claim', 'claim', 'fail', 'claim', 'complete', 'expireRecord', 'claim', 'claim'],
	['claim', 'finish', 'takeUndos', 'takeUndos', 'markUndone', 'markUndone', 'takeUndos', 'begin'],
	['claim', 'finish', 'takeUndos', 'expireLease', 'claim', 'takeUndos', 'markUndone'],
	['claim', 'finish', 'takeUndos', 'claim', 'takeUndos', 'takeUndos', 'markUndone'],
	['secret', 'registerRecovery', 'recoveries', 'secret', 'secret', 'recoveries'],
	['claim', 'begin', 'markUndone', 'finish', 'delete', 'finish', 'claim', 'begin'],
];

/** The same of several steps and gates of an event. */
export const SAGAS: ReadonlyArray<readonly Kind[]> = [
	['claim', 'finish', 'finish', 'takeUndos', 'markUndone', 'takeUndos', 'markUndone', 'finish'],
	['claim', 'finish', 'finish', 'fail', 'takeUndos', 'expireUndos', 'takeUndos', 'markUndone'],
	['claim', 'ask', 'ask', 'expireApproval', 'ask', 'decide', 'decide', 'begin'],
	['claim', 'begin', 'begin', 'finish', 'complete', 'finish', 'complete'],
];
