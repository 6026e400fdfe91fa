import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { cacheDirectory } from '../../scripts/n8n/cache';
import { npm } from '../../scripts/n8n/host';

/** The peers, as they are installed in the cache. */
export interface Peers {
	load<T>(module: string): T;
	/** The name of a package with its version. */
	version(name: string): string;
}

/** Outside of the checkout: what this package is compared with is no dependency of it, not even of its development. */
export async function installPeers(): Promise<Peers> {
	const manifest = readFileSync(join(__dirname, 'package.json'), 'utf8');
	const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 12);
	const directory = join(cacheDirectory, `bench-peers-${hash}`);
	// Written last: an installation that was cut off must not be taken for one.
	const stamp = join(directory, '.installed');
	if (!existsSync(stamp)) {
		console.log(`Getting the peers from npm, about 60 MB, kept in ${directory} ...`);
		rmSync(directory, { recursive: true, force: true });
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, 'package.json'), manifest);
		await npm(directory, ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
		writeFileSync(stamp, '');
	}
	const load = createRequire(join(directory, 'package.json'));
	return {
		load,
		version(name) {
			// Not every package exports its package.json.
			const file = readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8');
			return `${name} ${(JSON.parse(file) as { version: string }).version}`;
		},
	};
}
