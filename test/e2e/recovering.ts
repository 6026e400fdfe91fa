/** Example 7 for the impatient: leases that end soon, polls every few seconds, and no waiting between attempts. */
import type { WorkflowJson } from '../../scripts/n8n/N8nApi';
import { nodeOf, setOptions } from './Stage';

export const LEASE_SECONDS = 6;

/** n8n polls no more often than once a minute by one rule; these are twelve. */
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, i) => ({
	mode: 'custom',
	cronExpression: `${i * 5} * * * * *`,
}));

export function impatient(workflow: WorkflowJson): void {
	setOptions(workflow, 'Claim Event', { leaseMinutes: LEASE_SECONDS / 60, maxAttempts: 100 });
	setOptions(workflow, 'Stuck and Failed', { backoffMinutes: 0 });
	for (const name of ['Stuck and Failed', 'Needs a Person']) {
		nodeOf(workflow, name).parameters.pollTimes = { item: EVERY_FIVE_SECONDS };
	}
	nodeOf(workflow, 'Stuck and Failed').parameters.visibilityMinutes = 0.5;
}
