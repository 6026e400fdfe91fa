/** The nodes as a person meets them: in n8n's editor, with a real browser. */
import type { Browser, Page } from 'playwright-core';

import { EXAMPLES } from '../../scripts/n8n/examples';
import { OWNER } from '../../scripts/n8n/N8nApi';
import { forDocumentation, openBrowser, picture } from './browser';
import { sampleOrders } from './sampleOrders';
import { full } from './size';
import { Stage, type StageLedger } from './Stage';

let stage: Stage;
let place: StageLedger;
let browser: Browser;
beforeAll(async () => {
	stage = await Stage.open({ mode: 'regular' });
	place = await stage.ledger('embedded');
	browser = await openBrowser();
});
afterAll(async () => {
	await browser?.close();
	await stage?.close();
});

async function logIn(colorScheme: 'light' | 'dark'): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
	const page = await context.newPage();
	page.setDefaultTimeout(60_000);
	await page.goto(`${stage.n8n.url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', OWNER.email);
	await page.fill('input[name="password"]', OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(/\/home/);
	return page;
}

async function openWorkflow(page: Page, workflowId: string): Promise<void> {
	await page.goto(`${stage.n8n.url}/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
}

async function openPanel(page: Page, nodeName: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${nodeName}"]`).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

it('someone who searches for "dedupe" finds Claim Event, drags it in, and sees what is new', async () => {
	const page = await logIn('light');
	await openWorkflow(page, await stage.n8n.api.createWorkflow(sampleOrders));

	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('dedupe');
	const found = page.getByTestId('node-creator-item-name');
	await found.filter({ hasText: 'Claim Event' }).waitFor();
	expect(await found.allTextContents()).toEqual(
		expect.arrayContaining(['Claim Event', 'Derive Key', 'Mark Step Done']),
	);
	await page.screenshot({ path: picture('search') });

	await found.filter({ hasText: 'Claim Event' }).click();
	await page
		.getByText('Claim an event', { exact: true })
		.dragTo(page.getByTestId('canvas').first(), { targetPosition: { x: 1000, y: 420 } });
	// n8n opens the panel of a node that was just added; the only ledger credential is chosen already.
	await page.getByTestId('node-parameters').waitFor();
	await page.getByTestId('ndv-close-button').click();

	await connect(page, 'Derive Key', 'Claim Event');
	await openPanel(page, 'Claim Event');
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('New Branch (2 items)').waitFor();
	await output.getByText('Duplicate Branch (1 item)').waitFor();
	await page.screenshot({ path: picture('claim-event-output') });
	await page.context().close();
});

/** Draws a line from the output of a node to the input of another. */
async function connect(page: Page, from: string, to: string): Promise<void> {
	const handle = (name: string, side: 'output' | 'input') =>
		page.locator(`[data-test-id="canvas-node-${side}-handle"][data-node-name="${name}"]`).first();
	await handle(from, 'output').dragTo(handle(to, 'input'));
}

/** Of which nodes the panel is worth a picture. */
const panels: Record<string, string[]> = {
	'02-order-invoice-email': ['Derive Key', 'Claim Event', 'Create Invoice', 'Complete Event'],
	'03-typeform-ai-crm': ['Claim Classify', 'Classify Done'],
	'06-refund-two-approvers': ['Two of Three Approve'],
	'07-recovery': ['Stuck and Failed'],
	'08-dashboard': ['Report'],
};

const isAll = full || forDocumentation;
const examples = isAll ? EXAMPLES : Object.keys(panels);
const themes = isAll ? (['light', 'dark'] as const) : (['light'] as const);

it.each(themes)('canvas and panels in %s', async (theme) => {
	const page = await logIn(theme);
	for (const example of examples) {
		const { workflowId } = await stage.publish(example, place);
		await openWorkflow(page, workflowId);
		await page.getByTestId('zoom-to-fit').click();
		await page.screenshot({ path: picture(`${example}.${theme}`) });
		for (const node of panels[example] ?? []) {
			await openPanel(page, node);
			const name = node.toLowerCase().replaceAll(' ', '-');
			await page.screenshot({ path: picture(`${name}.${theme}`) });
			await page.getByTestId('ndv-close-button').click();
		}
	}
	await page.context().close();
});
