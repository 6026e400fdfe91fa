import type { ClaimRequest, Ledger } from '../../ledger/Ledger';
import { keyName, type StormTask } from './orders';
import {
	claimRequest,
	holder,
	namespace,
	noteClaim,
	order,
	patiently,
	random,
	refused,
} from './self';

export async function storm(ledger: Ledger, { keys, rounds }: StormTask): Promise<void> {
	const all = Array.from({ length: keys * rounds }, (_, i) => keyName(i % keys));
	const queue = random.shuffled(all).map((key) => claimRequest(key));
	const lane = async () => {
		while (queue.length > 0) {
			const size = random.chance(0.5) ? 1 : random.between(2, 50);
			await claimAndComplete(ledger, queue.splice(0, size));
		}
	};
	await Promise.all(Array.from({ length: 4 }, lane));
}

/** Every other event is completed, so that claims meet events that are done as well as such that are not. */
async function claimAndComplete(ledger: Ledger, requests: ClaimRequest[]): Promise<void> {
	const results = await patiently(requests, () => ledger.claimEvents(requests));
	results.forEach((result, i) => noteClaim(requests[i], result));
	const ending = results.flatMap((result, i) => {
		const { key } = requests[i];
		const isEnding = result.claimed && Number(key.split('-')[1]) % 2 === 1;
		if (!isEnding) return [];
		const { attempt } = result.event;
		return [{ namespace, key, holder, attempt, result: order.worker }];
	});
	const settled = await patiently(ending, () => ledger.completeEvents(ending));
	settled.forEach((completed, i) => {
		if (!completed.ok) refused(ending[i].key, 'complete', completed.error);
	});
}
