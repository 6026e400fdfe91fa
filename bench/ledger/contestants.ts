import type { Contestant } from './contestant';
import { embeddedContestant } from './embedded';
import { postgresContestant } from './postgres';
import { redisContestant } from './redis';

/** All stores, each on a private server that is started when it is its turn. */
export const CONTESTANTS: Array<() => Promise<Contestant>> = [
	embeddedContestant,
	postgresContestant,
	redisContestant,
];
