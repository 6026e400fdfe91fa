/** Installs this package into an n8n's user folder, step by step as n8n's community nodes panel does. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { npm } from './host';

const root = join(__dirname, '../..');
const NAME = 'n8n-nodes-idempotency';

/** `dist` has to be built. Installing what is installed already takes no time. */
export async function installPackage(userFolder: string): Promise<void> {
	const scratch = mkdtempSync(join(tmpdir(), 'idempotency-pack-'));
	try {
		const packed = await npm(root, [
			'pack',
			'--ignore-scripts',
			'--json',
			'--pack-destination',
			scratch,
		]);
		const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
		await unpack(join(scratch, filename), join(userFolder, '.n8n/nodes/node_modules', NAME));
	} finally {
		rmSync(scratch, { recursive: true });
	}
}

async function unpack(tarball: string, directory: string): Promise<void> {
	const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	const stamp = join(directory, '.installed-from');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;

	rmSync(directory, { recursive: true, force: true });
	mkdirSync(directory, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', directory, '--strip-components=1']);
	const file = join(directory, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	for (const kind of ['dev', 'peer', 'optional']) delete manifest[`${kind}Dependencies`];
	writeFileSync(file, JSON.stringify(manifest, null, 2));
	await npm(directory, [
		'install',
		'--audit=false',
		'--fund=false',
		'--bin-links=false',
		'--install-strategy=shallow',
		'--ignore-scripts=true',
		'--package-lock=false',
	]);
	writeFileSync(stamp, hash);
}
