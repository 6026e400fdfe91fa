/** Example 7 for the impatient: leases that end soon, polls every few seconds, and no waiting between attempts. */
import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import { nodeOf, setOptions } from './Stage';

export const LEASE_SECONDS = 6;

/** n8n refuses a star in the place of the seconds. */
const EVERY_FIVE_SECONDS = '0,5,10,15,20,25,30,35,40,45,50,55 * * * * *';

export function impatient(workflow: WorkflowJson): void {
	setOptions(workflow, 'Claim Event', { leaseMinutes: LEASE_SECONDS / 60, maxAttempts: 100 });
	setOptions(workflow, 'Stuck and Failed', { backoffMinutes: 0 });
	for (const name of ['Stuck and Failed', 'Needs a Person']) {
		nodeOf(workflow, name).parameters.pollTimes = {
			item: [{ mode: 'custom', cronExpression: EVERY_FIVE_SECONDS }],
		};
	}
	nodeOf(workflow, 'Stuck and Failed').parameters.visibilityMinutes = 0.5;
}
