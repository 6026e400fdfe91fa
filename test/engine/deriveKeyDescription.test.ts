import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';
import type { INodeProperties } from 'n8n-workflow';

import { PRESETS } from '../../keys/presets';
import { DeriveKey } from '../../nodes/DeriveKey/DeriveKey.node';
import { runWorkflow, workflow } from './harness';

const nodeDir = join(__dirname, '../../nodes/DeriveKey');
const { description } = new DeriveKey();

function property(name: string): INodeProperties {
	const found = description.properties.find((candidate) => candidate.name === name);
	if (!found) throw new Error(`No property '${name}'`);
	return found;
}

describe('Derive Key: description', () => {
	// Workflows that people have saved depend on it: change it only together with the version.
	it('is what saved workflows expect', () => {
		expect(description).toMatchSnapshot();
	});

	it('has an icon for light and dark', () => {
		const icon = description.icon as { light: string; dark: string };
		expect(icon.light).not.toBe(icon.dark);
		for (const file of Object.values(icon)) {
			const svg = readFileSync(join(nodeDir, file.replace('file:', '')), 'utf8');
			expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 60 60"/);
		}
	});

	it('can be found by the words people search for', () => {
		const codex = JSON.parse(readFileSync(join(nodeDir, 'DeriveKey.node.json'), 'utf8')) as {
			node: string;
			alias: string[];
			resources: { primaryDocumentation: unknown[] };
		};
		expect(codex.node).toBe('n8n-nodes-idempotency.deriveKey');
		expect(codex.alias).toEqual(
			expect.arrayContaining(['Dedupe', 'Deduplicate', 'Idempotency Key', 'Exactly Once']),
		);
		// n8n drops a codex without it.
		expect(codex.resources.primaryDocumentation).toHaveLength(1);
	});

	it('offers every preset, and marks those that are not verified', () => {
		const { options = [] } = property('preset');
		expect(options.map((option) => 'value' in option && option.value).sort()).toEqual(
			PRESETS.map(({ id }) => id).sort(),
		);
		const marked = options.filter(({ name }) => name.endsWith('(Unverified)'));
		const unverified = PRESETS.filter(({ evidence }) => evidence === 'unverified');
		expect(marked).toHaveLength(unverified.length);
		expect(property('unverifiedNotice').displayOptions?.show?.preset).toEqual(
			unverified.map(({ id }) => id),
		);
	});

	it('has an output schema that n8n finds and that says all that comes out', async () => {
		const schema = loadOutputSchema({ nodeDir, version: 1, versionFallback: true }) as {
			properties: { idempotency: { properties: object } };
		};
		// The editor asks for this file, without looking further.
		expect(existsSync(join(nodeDir, '__schema__/v1.0.0.json'))).toBe(true);

		const flow = workflow([
			{ name: 'Webhook', type: 'webhook' },
			{ name: 'Derive Key', type: 'deriveKey' },
		]);
		const run = await runWorkflow(flow, { nodes: [DeriveKey], items: [{ update_id: 1 }] });
		expect(Object.keys(run.json('Derive Key')[0].idempotency as object).sort()).toEqual(
			Object.keys(schema.properties.idempotency.properties).sort(),
		);
	});
});
