import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RecordLedger } from '../../ledger/RecordLedger';
import type { Fault } from '../httpServer/FaultServer';
import { stored } from './events';
import {
	deliverAgain,
	deliverGuarded,
	GUARDED,
	guarded,
	guardedFlow,
	useServer,
	WITH_KEY,
} from './guarded';
import { type LedgerUnderTest, onEmbeddedLedger, onEveryLedger } from './ledgers';

const FAULTS: Fault[] = [
	{ kind: 'dropBefore' },
	{ kind: 'dropAfter' },
	{ kind: 'closeMidBody' },
	{ kind: 'answer', status: 429 },
	{ kind: 'answer', status: 400 },
	{ kind: 'answer', status: 500 },
	{ kind: 'answer', status: 500, acts: true },
	{ kind: 'answer', status: 503, headers: { 'retry-after': '9999' } },
];

/** To a request that has acted: it stays a riddle, whatever the destination honours. */
const RIDDLE: Fault = { kind: 'answer', status: 302, acts: true };

/** Where a run dies: at which of its writes to the ledger, and whether the write is still made. */
interface Crash {
	at: number;
	isWritten: boolean;
}

/** A delivery: what the destination does to its requests, and where the run dies, if it does. */
interface Delivery {
	script: Fault[];
	crash?: Crash;
}

const deliveries = (faults: Fault[]) =>
	fc.array(
		fc.record<Delivery>({
			script: fc.array(fc.constantFrom(...faults), { maxLength: 5 }),
			crash: fc.option(fc.record({ at: fc.nat({ max: 5 }), isWritten: fc.boolean() }), {
				nil: undefined,
			}),
		}),
		{ minLength: 1, maxLength: 4 },
	);

const WRITES = ['beginSteps', 'finishSteps', 'failEvents'] as const;

/** Lets this process's ledger die with the run: from then on nothing is written. */
function dieAt({ at, isWritten }: Crash): () => void {
	let writes = 0;
	const spies = WRITES.map((name) => {
		const write = RecordLedger.prototype[name] as (requests: never[]) => Promise<never>;
		return jest.spyOn(RecordLedger.prototype, name).mockImplementation(async function (
			this: RecordLedger,
			requests: never[],
		) {
			const number = writes++;
			if (number === at && isWritten) await write.call(this, requests);
			if (number >= at) throw new Error('The process is dead');
			return await write.call(this, requests);
		} as never);
	});
	return () => spies.forEach((spy) => spy.mockRestore());
}

interface Mode {
	parameters: IDataObject;
	faults: Fault[];
	honoursKeys: boolean;
	endsDone: boolean;
}

let count = 0;

function check(
	on: LedgerUnderTest,
	at: ReturnType<typeof useServer>,
	{ parameters, faults, honoursKeys, endsDone }: Mode,
	numRuns: number,
): Promise<void> {
	return fc.assert(
		fc.asyncProperty(deliveries(faults), async (all) => {
			const { server } = at;
			const id = `p${count++}`;
			server.honoursKeys = honoursKeys;
			const flow = guardedFlow(guarded(server, parameters));
			for (const [n, { script, crash }] of all.entries()) {
				server.script(id, script);
				const revive = crash ? dieAt(crash) : () => {};
				try {
					if (n === 0) await deliverGuarded(on, flow, [{ id }]);
					else await deliverAgain(on, flow, id);
				} finally {
					revive();
				}
				expect(server.effects(id)).toBeLessThanOrEqual(1);
			}
			server.script(id, []);
			const last = await deliverAgain(on, flow, id);
			const isDone = last.nodes.includes(GUARDED) && last.items(GUARDED).length === 1;
			expect(server.effects(id)).toBeLessThanOrEqual(1);
			// What is called done has happened; what is not is waiting for somebody, and seen.
			if (isDone) expect(server.effects(id)).toBe(1);
			else expect((await stored(on, flow.id, id)).event.state).toBe('review');
			if (endsDone) expect(isDone).toBe(true);
		}),
		{ numRuns },
	);
}

function properties(on: LedgerUnderTest, numRuns: number): void {
	const at = useServer();
	const lookUp = () => ({
		lookUp: true,
		lookUpUrl: `=${at.server.url('').replace(/id=$/, 'id={{ $json.id }}')}`,
		lookUpResults: 'data',
	});

	it('happens once and ends done if the destination honours the key, whatever fails', async () => {
		const mode = { parameters: WITH_KEY, faults: FAULTS, honoursKeys: true, endsDone: true };
		await check(on, at, mode, numRuns);
	}, 240_000);

	it('happens at most once if it does not: else a person is asked', async () => {
		const faults = [...FAULTS, RIDDLE];
		const mode = { parameters: {}, faults, honoursKeys: false, endsDone: false };
		await check(on, at, mode, numRuns);
	}, 240_000);

	it('happens once and ends done if it can be asked, whatever fails', async () => {
		const faults = [...FAULTS, RIDDLE];
		const mode = { parameters: lookUp(), faults, honoursKeys: false, endsDone: true };
		await check(on, at, mode, numRuns);
	}, 240_000);
}

onEmbeddedLedger((on) => properties(on, 60));
onEveryLedger((on) => properties(on, 8));
