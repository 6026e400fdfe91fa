import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n reads its settings when it is loaded, so this comes before it. Nodes that fail on purpose would
// fill the output of the tests.
process.env.N8N_LOG_LEVEL ??= 'silent';

// Where n8n keeps the secret that signs links; not in the home of who runs the tests.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
