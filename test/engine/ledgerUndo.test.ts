import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { Ledger } from '../../nodes/Ledger/Ledger.node';
import { claim, claimStep, deliver, eventFlow, gate, stepDone } from './events';
import type { EngineRun, NodeSpec } from './harness';
import { claimed, elsewhere, given, stepWithUndo } from './ledgerNode';
import { onEveryLedger } from './ledgers';

const BOOKED = ['flight', 'hotel', 'car'];

function undoNode(name: string, operation: string, more: IDataObject = {}): NodeSpec {
	return { name, type: 'ledger', parameters: { resource: 'step', operation, ...more } as never };
}

/** The names of the steps that a node handed out. */
function handedOut(run: EngineRun, node = 'Undo'): unknown[] {
	return run.json(node).map(({ step }) => (step as IDataObject).name);
}

onEveryLedger((on) => {
	it('hands steps out newest first, each until it is marked, and again after a crash', async () => {
		const id = randomUUID();
		const stands = gate('stands');
		const book = BOOKED.map((step) =>
			stepDone(step, { options: { undo: `{"cancel":"${step}"}` } }),
		);
		const dying = eventFlow([
			claim({ onStopped: 'takeover' }),
			...book,
			claimStep('in doubt'),
			undoNode('Undo', 'getUndos'),
			{ ...undoNode('Mark', 'markUndone', { step: 'car' }), executeOnce: true },
			{ name: 'Stands', type: 'stands' },
			undoNode('Late', 'markUndone', { step: 'hotel' }),
		]);
		const nodes = [Ledger, stands.node];
		const zombie = deliver(on, { ...dying, id }, [{ id: 'trip' }], { nodes });
		await stands.reached;

		// Taken for dead. The next run goes on where it stopped.
		await on.expireLease({ namespace: id, key: 'trip' });
		const next = eventFlow(
			[
				claim({ onStopped: 'takeover' }),
				undoNode('Undo', 'getUndos'),
				undoNode('Again', 'getUndos'),
				undoNode('Mark', 'markUndone'),
				undoNode('Never', 'markUndone', { step: 'in doubt' }),
			],
			[
				['Webhook', 'Claim Event'],
				['Claim Event', 'Undo'],
				['Undo', 'Again'],
				['Undo', 'Mark'],
				['Mark', 'Never'],
			],
		);
		const taken = await deliver(on, { ...next, id }, [{ id: 'trip' }], { nodes });
		expect(handedOut(taken)).toEqual(['hotel', 'flight']);
		expect(taken.items('Again')).toEqual([]);
		expect(taken.json('Mark')).toMatchObject([
			{ undone: { step: 'hotel', state: 'undone', repeated: false } },
			{ undone: { step: 'flight', state: 'undone' } },
		]);
		expect(taken.error?.message).toContain('is not done');

		stands.open();
		const dead = await zombie;
		expect(handedOut(dead)).toEqual(['car', 'hotel', 'flight']);
		expect(dead.error?.message).toContain('no longer held');
		const all = await given(on, 'step', 'getMany', {}, [{ namespace: id, key: 'trip' }]);
		expect(all.map(({ name, state }) => [name, state])).toEqual([
			['flight', 'undone'],
			['hotel', 'undone'],
			['car', 'undone'],
			['in doubt', 'started'],
		]);
	});

	it('hands them to an operator by name, once nobody has the event', async () => {
		const namespace = randomUUID();
		const held = await claimed(on, namespace, 'trip', { claimant: elsewhere('gone') });
		for (const step of BOOKED) await stepWithUndo(on, held, step);
		await on.ledger.failEvents([{ ...held, reason: 'down' }]);
		const parameters = { by: 'olga', visibilityMinutes: 1 };
		const found = await given(on, 'step', 'getUndos', parameters, [{ namespace, key: 'trip' }]);
		expect(found.map(({ step }) => (step as IDataObject).name)).toEqual(['car', 'hotel', 'flight']);
	});
});
