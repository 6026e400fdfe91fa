import type { EventAddress, Holder } from '../../../ledger/records';
import { isHolder } from '../n8n/executionIdentity';
import type { WonClaim } from './HeldClaim';

/**
 * How an execution keeps its claims, however many: n8n writes the context of an execution to its database with everything else, so it
 * is a list of texts, one for each time that claims were added, with a line for each claim. What many of them have in common is written
 * once, in `names`. No key contains a line break: the ledger refuses it.
 */
export interface SavedClaims {
	names: string[];
	claims: string[];
}

/** Places in `names` of the namespace, the holder and the node; run, item, attempt; and the key, which may have spaces in it. */
const LINE = /^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (.+)$/s;

interface SavedHolder {
	holder: Holder;
	isInherited: boolean;
}

/** Reads and writes them. Few executions ask for a claim by its key, so nothing is read before one does. */
export class SavedClaimsReader {
	private readonly numbers: Map<string, number>;
	private readonly holders = new Map<number, SavedHolder | undefined>();
	/** By event, the newest last. */
	private readonly byEvent = new Map<string, WonClaim[]>();
	/** How many texts were read. */
	private read = 0;

	constructor(private readonly saved: SavedClaims) {
		this.numbers = new Map(saved.names.map((name, i) => [name, i]));
	}

	append(claims: WonClaim[]): void {
		const lines = claims.map(({ namespace, key, attempt, holder, isInherited, place }) => {
			const by = JSON.stringify({ holder, isInherited });
			const numbers = [namespace, by, place.nodeId].map((name) => this.numberOf(name));
			return [...numbers, place.runIndex, place.itemIndex, attempt, key].join(' ');
		});
		this.saved.claims.push(lines.join('\n'));
	}

	/** All claims on an event, the newest last. */
	all({ namespace, key }: EventAddress): WonClaim[] {
		for (; this.read < this.saved.claims.length; this.read++) {
			for (const line of String(this.saved.claims[this.read]).split('\n')) this.readLine(line);
		}
		return this.byEvent.get(`${this.numbers.get(namespace)} ${key}`) ?? [];
	}

	private numberOf(name: string): number {
		const known = this.numbers.get(name);
		if (known !== undefined) return known;
		const number = this.saved.names.push(name) - 1;
		this.numbers.set(name, number);
		return number;
	}

	/** What is not as it was written is no claim. */
	private readLine(line: string): void {
		const [matched, ...parts] = LINE.exec(line) ?? [];
		if (matched === undefined) return;
		const [namespace, by, node, runIndex, itemIndex, attempt] = parts.map(Number);
		const key = parts[6];
		const saved = this.holderAt(by);
		if (!saved) return;
		const claim: WonClaim = {
			namespace: this.saved.names[namespace],
			key,
			attempt,
			...saved,
			place: { nodeId: this.saved.names[node], runIndex, itemIndex },
		};
		const event = `${namespace} ${key}`;
		const earlier = this.byEvent.get(event);
		if (earlier) earlier.push(claim);
		else this.byEvent.set(event, [claim]);
	}

	private holderAt(number: number): SavedHolder | undefined {
		if (!this.holders.has(number)) this.holders.set(number, holderIn(this.saved.names[number]));
		return this.holders.get(number);
	}
}

function holderIn(text: string): SavedHolder | undefined {
	try {
		const { holder, isInherited } = JSON.parse(text) as Partial<SavedHolder>;
		return isHolder(holder) ? { holder, isInherited: isInherited === true } : undefined;
	} catch {
		return undefined;
	}
}
