import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { WorkflowJson } from '../harness/workflow';

/** Where a process is killed on the way of a request. */
export const BOUNDARIES = [
	'before begin',
	'after begin',
	'request sent',
	'effect happened',
	'before finish',
	'after finish',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** What the process is to do. */
export interface Order {
	flows: Array<{ flow: WorkflowJson; id: string }>;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	boundary: Boundary;
}
