/** The package as it is shipped: what is run from its sources carries what the compiler on the fly adds to them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type * as fingerprints from '../keys/fingerprint';
import type * as open from '../ledger/open';

const load = createRequire(join(__dirname, '../dist/'));

export const { openLedger } = load('./ledger/open.js') as typeof open;
export const { fingerprint } = load('./keys/fingerprint.js') as typeof fingerprints;
