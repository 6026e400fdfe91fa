import { join } from 'node:path';

import type * as open from '../ledger/open';

/** The ledger as it is shipped: what is run from its sources carries what the compiler on the fly adds to them. */
export const { openLedger } = require(join(__dirname, '../dist/ledger/open.js')) as typeof open;
