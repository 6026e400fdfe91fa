import type { IExecuteFunctions } from 'n8n-workflow';

import { RequestError } from '../../http/errors';
import type { Request } from '../../http/request';
import type { ApprovalRecord } from '../../ledger/records';
import { approvedBy, approvedFingerprint } from '../shared/approvedContent';
import { jsonParameter } from '../shared/jsonParameter';
import { text } from '../shared/text';
import type { Options } from './options';

/** What a person has to have approved. */
export interface Approval {
	gate: string;
	fingerprint: string;
}

export function readApproval(
	node: IExecuteFunctions,
	i: number,
	request: Request,
	options: Options,
): Approval | undefined {
	if (!options.approval) return undefined;
	const { gate, content } = options.approval.values ?? {};
	const name = text(gate);
	if (name === undefined) {
		throw new RequestError(
			"'Require Approval' does not say which gate",
			'Fill in the name of the gate, or remove the option',
		);
	}
	const approved = jsonParameter(node, content, 'Approved Content', i) ?? sentContent(request);
	return { gate: name, fingerprint: approvedFingerprint(approved) };
}

function sentContent({ body }: Request): unknown {
	if (body?.kind === 'json') return body.value;
	if (body?.kind === 'form') return Object.fromEntries(body.fields);
	throw new RequestError(
		"'Require Approval' needs to know what was approved",
		"Fill in 'Approved Content' with what the gate showed, or send a JSON body or a form",
	);
}

/** Why the request must not be sent; undefined if it may. */
export function reasonNotApproved(
	{ gate, fingerprint }: Approval,
	approvals: ApprovalRecord[],
): string | undefined {
	const found = approvals.find((approval) => approval.gate === gate);
	if (!found) return `Nothing was asked at the gate '${gate}' for this event`;
	const approves = approvedBy(found);
	if (approves === undefined) {
		return `The gate '${gate}' was not told what it lets through: fill in its option 'Approved Content'`;
	}
	if (approves !== fingerprint) {
		return `The gate '${gate}' was asked about other content than what is to be sent`;
	}
	if (found.state === 'approved') return undefined;
	if (found.state === 'pending') return `The gate '${gate}' has not decided yet`;
	return found.state === 'expired'
		? `The gate '${gate}' got no decision in time`
		: `The gate '${gate}' was answered with no by ${found.decidedBy ?? 'somebody'}`;
}
