/** Example 9 for the impatient, and what it did out there. */
import type { OutsideWorld } from '../../scripts/n8n/OutsideWorld';
import { LEASE_SECONDS } from './recovering';
import { insertAfter, type Published, setOptions, type Stage, type StageLedger } from './Stage';

/** All that happens to a trip without a car. */
export const UNDONE = ['flights booked', 'hotels booked', 'hotels cancelled', 'flights cancelled'];

/** The lease ends soon. After a node, the run may have to wait for an answer of `service`. */
export async function publishTrips(
	stage: Stage,
	place: StageLedger,
	pause?: { after: string; service: string },
): Promise<Published> {
	return await stage.publish('09-saga-undo', place, (workflow) => {
		setOptions(workflow, 'Claim Event', { leaseMinutes: LEASE_SECONDS / 60, maxAttempts: 100 });
		if (!pause) return;
		insertAfter(workflow, pause.after, {
			name: 'Pause',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `${stage.world.url}/${pause.service}`, options: {} },
		});
	});
}

/** What was booked and cancelled for a trip, in order. */
export function effectsOf({ effects }: OutsideWorld, tripId: string): string[] {
	return effects
		.filter(({ body }) => body.tripId === tripId)
		.map(({ service, body }) => `${service} ${body.booking ? 'cancelled' : 'booked'}`);
}
