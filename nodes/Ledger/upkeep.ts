import type { Operation } from './Operation';

/** So many at a time that claims hardly wait for it. */
const BATCH = 1000;

/** Once for all items: what is expired is expired for all of them. */
const purge: Operation = async (node, ledger) => {
	const most = node.getNodeParameter('maxEvents', 0) as number;
	let purged = 0;
	let more = true;
	while (more && purged < most && !node.getExecutionCancelSignal()?.aborted) {
		const part = await ledger.purge({ limit: Math.min(BATCH, most - purged) });
		purged += part.purged;
		({ more } = part);
	}
	return [{ json: { purged, more }, pairedItem: node.getInputData().map((_, item) => ({ item })) }];
};

const check: Operation = async (node, ledger) => {
	const { findings, ...report } = await ledger.check();
	return [
		{
			json: { ...report, findings: findings.map((finding) => ({ ...finding })) },
			pairedItem: node.getInputData().map((_, item) => ({ item })),
		},
	];
};

export const operations: Record<string, Operation> = { purge, check };
