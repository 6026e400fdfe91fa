import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Browser, chromium, selectors } from 'playwright-core';

import { findProgram } from '../servers/find';
import { makeDirectory } from '../servers/ServerProcess';

selectors.setTestIdAttribute('data-test-id');

/** A real one, without a window. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: findProgram('chromium'),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** `npm run test:e2e -- --screenshots browser` renews the pictures of the documentation. */
export const forDocumentation = process.env.E2E_SCREENSHOTS === 'true';

const pictures = forDocumentation
	? join(__dirname, '../../docs/images')
	: makeDirectory('screenshots');
mkdirSync(pictures, { recursive: true });

/** Where to put a picture. */
export function picture(name: string): string {
	return join(pictures, `${name}.png`);
}
