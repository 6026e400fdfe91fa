import type { IExecuteFunctions } from 'n8n-workflow';

import type {
	CompleteRequest,
	FailRequest,
	FinishStepRequest,
	Ledger,
	RenewRequest,
	Settled,
} from '../../ledger/Ledger';
import type { EventSummary, StepRecord } from '../../ledger/records';
import type { Held } from '../shared/claimOnItem';
import type { KeyOptions } from '../shared/findClaim';
import { jsonParameter } from '../shared/jsonParameter';
import { text } from '../shared/text';

export interface Options extends KeyOptions {
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

type Send<Request> = (ledger: Ledger, requests: Request[]) => Promise<Array<Settled<Written>>>;

/** What the holder of a claim may write. `More` is what it says besides which event, and with which token. */
export interface Operation<More = object> {
	/** The operation's own parameters of an item. */
	read(node: IExecuteFunctions, itemIndex: number, options: Options): More;
	send: Send<Held & More>;
	/** What the event of a business key gets: it ends with the first, and lives as long. */
	sendBusiness: Send<Held & More>;
}

const MINUTE = 60_000;

const complete: Send<CompleteRequest & Held> = (ledger, requests) =>
	ledger.completeEvents(requests);
const fail: Send<FailRequest & Held> = (ledger, requests) => ledger.failEvents(requests);
const renew: Send<RenewRequest> = (ledger, requests) => ledger.renewLeases(requests);

const stepDone: Operation<Omit<FinishStepRequest, keyof Held>> = {
	read: (node, i, { undo }) => ({
		step: text(node.getNodeParameter('step', i)) ?? '',
		externalId: text(node.getNodeParameter('externalId', i, '')),
		output: jsonParameter(node, node.getNodeParameter('output', i, null), 'Output', i),
		undo: jsonParameter(node, undo, 'How to Undo', i),
	}),
	send: (ledger, requests) => ledger.finishSteps(requests),
	sendBusiness: renew,
};

const completeEvent: Operation<Omit<CompleteRequest, keyof Held | 'by' | 'inState'>> = {
	read: (node, i) => ({
		externalId: text(node.getNodeParameter('externalId', i, '')),
		result: jsonParameter(node, node.getNodeParameter('result', i, null), 'Result', i),
	}),
	send: complete,
	sendBusiness: complete,
};

const failEvent: Operation<Omit<FailRequest, keyof Held | 'by' | 'inState'>> = {
	read: (node, i, { retryAfterMinutes = 0 }) => ({
		as: node.getNodeParameter('failAs', i) as 'failed' | 'review',
		reason: text(node.getNodeParameter('reason', i, '')) ?? 'Failed',
		retryAfterMs: Math.round(retryAfterMinutes * MINUTE),
	}),
	send: fail,
	sendBusiness: fail,
};

const renewLease: Operation<Omit<RenewRequest, keyof Held>> = {
	read: (_node, _i, { leaseMinutes }) => ({
		leaseMs: leaseMinutes === undefined ? undefined : Math.round(leaseMinutes * MINUTE),
	}),
	send: renew,
	sendBusiness: renew,
};

export const OPERATIONS = { stepDone, completeEvent, failEvent, renewLease } as unknown as Record<
	string,
	Operation
>;
