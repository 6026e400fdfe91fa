import { createHash, randomBytes } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Holder } from '../../../ledger/records';
import { runExecutionDataOf } from './internals';

export interface ExecutionIdentity {
	/** This execution, as the ledger tells it from all others. */
	holder: Holder;
	/** The executions that it retries by hand, oldest first: n8n starts it with their context. */
	retried: Holder[];
}

/**
 * Who an execution is: n8n's instance, the execution's ID, and a nonce, because a clone of an instance has the same encryption key, so
 * the same instance ID, and counts its executions from the same number.
 *
 * The nonce is kept in the execution's context, which senders and items cannot write: it survives waits and moves to other workers. On
 * n8n 2.x it is made of the execution's resume token, so it is the same even before the context is saved for the first time. n8n 1.x
 * has no such token: when it runs a stalled job once more, from the beginning, that counts as another execution.
 */
export function executionIdentity(node: IExecuteFunctions): ExecutionIdentity {
	const executionId = node.getExecutionId();
	const context = node.getContext('flow');
	const known = knownExecutions(context);
	const own = known.find((holder) => holder.executionId === executionId);
	const retried = known.filter((holder) => holder !== own);
	if (own) return { holder: own, retried };
	const holder: Holder = {
		instance: node.getInstanceId(),
		executionId,
		nonce: nonceOf(node, executionId),
	};
	context.idempotencyExecutions = [...known, holder] as unknown as IDataObject[];
	return { holder, retried };
}

function knownExecutions({ idempotencyExecutions: saved }: IDataObject): Holder[] {
	return Array.isArray(saved) ? (saved as unknown[]).filter(isHolder) : [];
}

export function isHolder(value: unknown): value is Holder {
	const { instance, executionId, nonce } = (value ?? {}) as Partial<Holder>;
	return [instance, executionId, nonce].every((part) => typeof part === 'string');
}

/** A retry by hand has the same resume token and another ID. The token opens n8n's waiting pages, so only its hash leaves n8n. */
function nonceOf(node: IExecuteFunctions, executionId: string): string {
	const { resumeToken } = runExecutionDataOf(node);
	if (typeof resumeToken !== 'string' || resumeToken === '') {
		return randomBytes(16).toString('base64url');
	}
	const hash = createHash('sha256')
		.update(JSON.stringify([resumeToken, executionId]))
		.digest();
	return hash.subarray(0, 16).toString('base64url');
}
