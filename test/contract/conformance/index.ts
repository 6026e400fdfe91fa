import { aliases } from './aliases';
import { approvals } from './approvals';
import { badInput } from './badInput';
import { batches } from './batches';
import type { Case } from './Case';
import { claims } from './claims';
import { closing } from './closing';
import { completing } from './completing';
import { conflicts } from './conflicts';
import { deciding } from './deciding';
import { doubt } from './doubt';
import { erasing } from './erasing';
import { events } from './events';
import { executions } from './executions';
import { fencing } from './fencing';
import { gates } from './gates';
import { histories } from './histories';
import { holders } from './holders';
import { lists } from './lists';
import { notes } from './notes';
import { ordering } from './ordering';
import { owners } from './owners';
import { pausing } from './pausing';
import { processes } from './processes';
import { reads } from './reads';
import { replays } from './replays';
import { resolving } from './resolving';
import { roundTrips } from './roundTrips';
import { rows } from './rows';
import { search } from './search';
import { secrets } from './secrets';
import { stats } from './stats';
import { steps } from './steps';
import { taking } from './take';
import { time } from './time';
import { turnedAway } from './turnedAway';
import { undo } from './undo';
import { upkeep } from './upkeep';
import { values } from './values';

/** What every ledger has to do, by topic. */
export const CONFORMANCE: Record<string, Case[]> = {
	claims,
	'turned away': turnedAway,
	conflicts,
	ordering,
	holders,
	owners,
	fencing,
	aliases,
	steps,
	rows,
	doubt,
	resolving,
	undo,
	events,
	completing,
	pausing,
	executions,
	approvals,
	deciding,
	gates,
	notes,
	replays,
	reads,
	histories,
	stats,
	lists,
	search,
	taking,
	upkeep,
	erasing,
	closing,
	secrets,
	time,
	values,
	'bad input': badInput,
	batches,
	'round trips': roundTrips,
	processes,
};
