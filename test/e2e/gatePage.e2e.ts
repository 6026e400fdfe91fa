/** The page of the approval gate as people see it: on a desk and on a phone, by day and by night, and with a screen reader. */
import { readFileSync } from 'node:fs';

import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';

import { openBrowser, picture } from './browser';
import { linkTo, openPage, refund, refunds } from './refunds';
import { deliver } from './sender';
import { Stage, type StageLedger } from './Stage';
import { until } from '../servers/ServerProcess';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

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

const cases = (['desktop', 'phone'] as const).flatMap((size) =>
	(['light', 'dark'] as const).map((theme) => ({ size, theme })),
);

it.each(cases)('$size, $theme: read and clicked, and no barrier found', async ({ size, theme }) => {
	const { url, workflowId } = await stage.publishWorkflow(refunds(stage.world), place);
	const id = `RF-${size}-${theme}`;
	await deliver(url, {
		...refund(id),
		reason: 'The parcel **never arrived**.\n\n- carrier: lost\n- customer: waiting',
	});
	const link = await linkTo(stage.world, `Refund ${id}`);
	await openPage(link);

	// Without the page's own policy only so that axe can run in it; what it looks at is the same.
	const context = await browser.newContext({
		viewport: SIZES[size],
		colorScheme: theme,
		bypassCSP: true,
	});
	const page = await context.newPage();
	await page.goto(link);
	await page.screenshot({ path: picture(`approval-page.${size}.${theme}`), fullPage: true });
	await page.evaluate(axe);
	const { violations } = await page.evaluate<AxeResults>('axe.run()');
	expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual(
		[],
	);
	const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
	expect(overflow).toBeLessThanOrEqual(0);
	await context.close();

	// And with it, as a person has it, without any script.
	const visitor = await browser.newContext({
		viewport: SIZES[size],
		colorScheme: theme,
		javaScriptEnabled: false,
	});
	const form = await visitor.newPage();
	await form.goto(link);
	await form.getByLabel('Your name').fill('Paula');
	await form.getByRole('button', { name: 'Approve' }).click();
	await form.getByText('APPROVED').waitFor();
	await form.screenshot({ path: picture(`approval-decided.${size}.${theme}`), fullPage: true });
	await visitor.close();
	await until('the refund to be paid', async () => {
		const [found] = await place.ledger.get([{ namespace: workflowId, key: `v1:field:${id}` }]);
		expect(found?.event.state).toBe('done');
	});
	expect(stage.world.of('bank').filter(({ body }) => body.refund === id)).toHaveLength(1);
});
