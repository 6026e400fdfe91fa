import { hugePart } from './ledger/huge';
import { ledgerPart } from './ledger/part';
import { correctnessPart } from './n8n/correctness';
import { growthPart } from './n8n/growth';
import { n8nPart } from './n8n/speed';
import { peersPart } from './peers/part';
import type { Report } from './Report';
import { upkeepPart } from './upkeep/part';
import { versusPart } from './versus/part';

/** One question that the benchmark answers. */
export interface Part {
	/** As it is chosen on the command line. */
	name: string;
	/** Of a part that is only run if it is chosen, alone: where its results are written. */
	resultsFile?: string;
	run(report: Report, size: Size): Promise<void>;
}

export interface Size {
	/** Smaller sizes and fewer repetitions: all parts in a few minutes. */
	quick: boolean;
	/** Of another checkout, to compare with. */
	old?: string;
}

/** In the order in which they are run and reported. */
export const PARTS: Part[] = [
	n8nPart,
	correctnessPart,
	growthPart,
	ledgerPart,
	upkeepPart,
	peersPart,
	hugePart,
	versusPart,
];
