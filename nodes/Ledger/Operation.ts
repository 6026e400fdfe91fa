import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../ledger/Ledger';

/** Does its work for all items of the input, with as few calls to the ledger as possible. */
export type Operation = (node: IExecuteFunctions, ledger: Ledger) => Promise<INodeExecutionData[]>;
