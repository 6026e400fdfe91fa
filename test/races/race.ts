import { randomInt } from 'node:crypto';

import type { Ledger } from '../../ledger/Ledger';
import { openLedger } from '../../ledger/open';
import { Crew } from './Crew';
import type { Place } from './places';
import { Random } from './random';

export interface Scene<P extends Place> {
	place: P;
	/** The test's own way into the store. */
	ledger: Ledger;
	crew: Crew;
	random: Random;
}

/** A test with worker processes on a store of its own. When it fails, it says how to get the same random choices again. */
export function race<P extends Place>(
	name: string,
	open: () => Promise<P>,
	run: (scene: Scene<P>) => Promise<void>,
): void {
	const playOn = async (place: P, random: Random) => {
		const ledger = await openLedger(place.settings);
		const crew = new Crew(place, random);
		try {
			await run({ place, ledger, crew, random });
		} finally {
			await crew.dismiss();
			await ledger.close();
		}
	};

	const play = async () => {
		const seed = Number(process.env.RACES_SEED ?? randomInt(2 ** 31));
		const place = await open();
		try {
			await playOn(place, new Random(seed));
		} catch (error) {
			console.error(`'${name}' failed. For the same choices: RACES_SEED=${seed}`);
			throw error;
		} finally {
			await place.dispose();
		}
	};

	test(name, play, 240_000);
}
