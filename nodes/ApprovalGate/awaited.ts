import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { claimantOf } from '../shared/execution';
import type { Question } from './Question';

/**
 * Which requests this run of the node waits for, kept with the execution. When it is continued, their decisions hold for these very items, even
 * where the text that was shown has a time in it and would be another now.
 */
export class Awaited {
	private readonly ids: IDataObject;
	private readonly place: (question: Question) => string;

	constructor(node: IExecuteFunctions) {
		const context = node.getContext('node');
		this.ids = (context.awaitedApprovals ??= {}) as IDataObject;
		const claimant = claimantOf(node);
		this.place = ({ itemIndex, request }) => {
			// A retry by hand is another execution, maybe with other parameters.
			const { executionId, runIndex } = claimant(itemIndex);
			return JSON.stringify([executionId, runIndex, itemIndex, request.namespace, request.key]);
		};
	}

	get(question: Question): string | undefined {
		return this.ids[this.place(question)] as string | undefined;
	}

	set(question: Question, id: string): void {
		this.ids[this.place(question)] = id;
	}
}
