import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { ClaimRequest } from '../../ledger/Ledger';
import { text } from '../shared/text';

/** What Date.parse makes of other text is guesswork: '12 apples' is a day in December to it. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

export function orderingOf(
	node: IExecuteFunctions,
	values: { object?: unknown; version?: unknown } | undefined,
	itemIndex: number,
): ClaimRequest['ordering'] {
	if (values === undefined) return undefined;
	const version = versionOf(values.version);
	if (!Number.isFinite(version) || Math.abs(version) > Number.MAX_SAFE_INTEGER) {
		throw new NodeOperationError(
			node.getNode(),
			`The 'Version' is '${text(values.version) ?? ''}', which cannot be compared`,
			{
				itemIndex,
				description:
					'Use a number, or a date like 2026-01-31T12:00:00Z, that grows with every change of the object',
			},
		);
	}
	return { object: text(values.object) ?? '', version };
}

/** Versions are numbers, or dates, which are compared as the moments that they are. */
function versionOf(version: unknown): number {
	// Dates of JavaScript and of n8n's expressions are the number of their moment.
	if (typeof version === 'object' && version !== null) return Number(version);
	const written = text(version);
	if (written === undefined) return NaN;
	const number = Number(written);
	if (!Number.isNaN(number)) return number;
	const match = DATE.exec(written);
	if (!match) return NaN;
	// Without a zone it would depend on that of the host.
	const [, day, time = '00:00', zone = 'Z'] = match;
	return Date.parse(`${day}T${time}${zone}`);
}
