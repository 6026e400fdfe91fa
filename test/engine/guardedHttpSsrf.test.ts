import './harness/ssrfProtection';

import { stored } from './events';
import { deliverGuarded, guarded, guardedFlow, useServer } from './guarded';
import { onEmbeddedLedger } from './ledgers';

onEmbeddedLedger((on) => {
	const at = useServer();

	it("is held back by n8n's own protection, and knows that nothing was sent", async () => {
		const flow = guardedFlow(guarded(at.server));
		const run = await deliverGuarded(on, flow, [{ id: 'a' }]);
		expect(run.error?.message).toBe('The request got no answer');
		expect(run.error?.description).toMatch(
			/^It did not happen\. .*attempt 4: .*restricted IP address/,
		);
		expect(at.server.seen).toEqual([]);
		expect((await stored(on, flow.id, 'a')).steps).toMatchObject([{ state: 'failed' }]);
	});
});
