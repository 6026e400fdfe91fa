import type { IDataObject } from 'n8n-workflow';

import type { StepRecord } from '../../ledger/records';
import { iso } from './execution';

/** What items carry of a step: its name aside, which they are filed under. */
export function describeStep({ state, externalId, output, finishedAt }: StepRecord): IDataObject {
	return { state, externalId, output, finishedAt: iso(finishedAt) };
}
