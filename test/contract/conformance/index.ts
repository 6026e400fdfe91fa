import { approvals } from './approvals';
import { badInput } from './badInput';
import { batches } from './batches';
import type { Case } from './Case';
import { claims } from './claims';
import { events } from './events';
import { fencing } from './fencing';
import { gates } from './gates';
import { lists } from './lists';
import { ordering } from './ordering';
import { reads } from './reads';
import { replays } from './replays';
import { steps } from './steps';
import { taking } from './take';
import { time } from './time';
import { turnedAway } from './turnedAway';
import { undo } from './undo';
import { upkeep } from './upkeep';
import { values } from './values';

/** What every store has to do, by topic. */
export const CONFORMANCE: Record<string, Case[]> = {
	claims,
	'turned away': turnedAway,
	ordering,
	fencing,
	steps,
	undo,
	events,
	approvals: [...approvals, ...gates],
	replays,
	reads,
	lists,
	taking,
	upkeep,
	time,
	values,
	'bad input': badInput,
	batches,
};
