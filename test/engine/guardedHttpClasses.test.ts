import { stored } from './events';
import { deliverAgain, deliverGuarded, GUARDED, guarded, guardedFlow, useServer } from './guarded';
import { type Case, CASES, MODES, type Verdict } from './guardedHttpCases';
import type { EngineRun } from './harness';
import { onEveryLedger } from './ledgers';

const at = useServer();

function verdict(run: EngineRun): Verdict {
	if (run.status === 'error') return 'error';
	return run.items(GUARDED, 0).length === 1 ? 'done' : 'review';
}

onEveryLedger((on) => {
	it.each(CASES.map((each): [string, string, Case] => [each.what, each.mode ?? 'no key', each]))(
		'%s (%s)',
		async (what, mode, { timeout, script, is, ...expected }) => {
			const { server } = at;
			const id = `${what} ${mode} ${Math.random()}`;
			server.honoursKeys = mode.startsWith('key');
			server.script(id, script);
			const flow = guardedFlow(
				guarded(server, { ...MODES[mode], options: timeout ? { timeout } : {} }),
			);
			const method = String(MODES[mode].method ?? 'POST');
			const sent = () => server.requests(id, method).length;

			const run = await deliverGuarded(on, flow, [{ id }]);
			if (script.some(({ kind }) => kind === 'late')) await server.acted(id);
			const { event, steps } = await stored(on, flow.id, id);
			expect({
				is: verdict(run),
				requests: sent(),
				effects: server.effects(id),
				event: event.state,
				step: steps[0].state,
			}).toEqual({
				is,
				requests: expected.requests,
				effects: expected.effects,
				event: expected.event ?? 'processing',
				step: expected.step,
			});
			expect(steps[0].tries).toBe(expected.requests);

			server.script(id, []);
			const again = await deliverAgain(on, flow, id);
			const isStopped = again.nodes.includes(GUARDED) === false;
			expect(isStopped ? 'review' : verdict(again)).toBe(expected.again);
			expect(sent()).toBe(expected.requests + (expected.requestsAgain ?? 0));
			if (mode !== 'PUT' && mode !== 'DELETE') expect(server.effects(id)).toBeLessThanOrEqual(1);
			// The same key every time.
			const keys = server.requests(id, method).map(({ headers }) => headers['idempotency-key']);
			expect(new Set(keys).size).toBe(1);
		},
	);
});
