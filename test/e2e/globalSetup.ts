import { DEFAULT_VERSION, ensureHost, LAST_OF_1X } from '../../scripts/n8n/host';
import { findPrograms } from '../servers/find';
import { full } from './size';

/** Gets what takes long before the first test's clock runs. */
export default async function globalSetup(): Promise<void> {
	findPrograms(['postgres', 'redis', 'chromium']);
	await ensureHost(DEFAULT_VERSION);
	if (full) await ensureHost(LAST_OF_1X);
}
