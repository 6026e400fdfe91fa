import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside of the checkout, because an n8n is large and every clone can use the same one. */
export const cacheDirectory =
	process.env.N8N_NODES_IDEMPOTENCY_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-idempotency');
