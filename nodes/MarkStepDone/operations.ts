import type { IExecuteFunctions } from 'n8n-workflow';

import type {
	CompleteRequest,
	FailRequest,
	FinishStepRequest,
	HeldRequest,
	ItemResult,
	Ledger,
	RenewRequest,
} from '../../ledger/Ledger';
import type { EventSummary, StepRecord } from '../../ledger/records';
import { jsonParameter } from '../shared/jsonParameter';
import type { KeyOptions } from '../shared/ledger/findClaim';
import { text } from '../shared/text';

export interface Options extends KeyOptions {
	allowFailedSteps?: boolean;
	leaseMinutes?: number;
	retryAfterMinutes?: number;
	undo?: unknown;
}

export interface Written {
	repeated: boolean;
	event: EventSummary;
	/** As it is stored, where a step was written. */
	step?: StepRecord;
}

/** What the holder of a claim may write. `More` is what it says besides which event, and as whom. */
export interface Operation<More = object> {
	/** The operation's own parameters of an item. */
	read(node: IExecuteFunctions, itemIndex: number, options: Options): More;
	send(ledger: Ledger, requests: Array<HeldRequest & More>): Promise<Array<ItemResult<Written>>>;
}

/** Of a request what the operation adds. */
type Added<Request> = Omit<Request, keyof HeldRequest | 'by' | 'inState'>;

const MINUTE = 60_000;

const stepDone: Operation<Added<FinishStepRequest>> = {
	read: (node, i, { undo }) => ({
		step: text(node.getNodeParameter('step', i)) ?? '',
		externalId: text(node.getNodeParameter('externalId', i, '')),
		output: jsonParameter(node, node.getNodeParameter('output', i, null), 'Output', i),
		undo: jsonParameter(node, undo, 'How to Undo', i),
	}),
	send: (ledger, requests) => ledger.finishSteps(requests),
};

const completeEvent: Operation<Added<CompleteRequest>> = {
	read: (node, i, { allowFailedSteps }) => ({
		allowFailedSteps,
		externalId: text(node.getNodeParameter('externalId', i, '')),
		result: jsonParameter(node, node.getNodeParameter('result', i, null), 'Result', i),
	}),
	send: (ledger, requests) => ledger.completeEvents(requests),
};

const failEvent: Operation<Added<FailRequest>> = {
	read: (node, i, { retryAfterMinutes = 0 }) => ({
		as: node.getNodeParameter('failAs', i) as 'failed' | 'review',
		reason: text(node.getNodeParameter('reason', i, '')) ?? 'Failed',
		retryAfterMs: Math.round(retryAfterMinutes * MINUTE),
	}),
	send: (ledger, requests) => ledger.failEvents(requests),
};

const renewLease: Operation<Added<RenewRequest>> = {
	read: (_node, _i, { leaseMinutes }) => ({
		leaseMs: leaseMinutes === undefined ? undefined : Math.round(leaseMinutes * MINUTE),
	}),
	send: (ledger, requests) => ledger.renewLeases(requests),
};

export const OPERATIONS = { stepDone, completeEvent, failEvent, renewLease } as unknown as Record<
	string,
	Operation
>;
