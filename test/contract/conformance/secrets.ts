import type { Case, Fixture } from './Case';
import { ALICE, at, claim, one, untilPast, win } from './helpers';

async function recoveriesOf({ ledger, namespace }: Fixture) {
	return (await ledger.recoveries()).filter(({ by }) => by.startsWith(namespace));
}

/** What a ledger keeps that is no event. */
export const secrets: Case[] = [
	{
		name: 'a secret is the same for everybody who asks for its name, at the same time too',
		async run(fixture) {
			const name = `links of ${fixture.namespace}`;
			const other = await fixture.openAnother();
			const asked = await Promise.all(
				Array.from({ length: 10 }, (_, i) => [fixture.ledger, other][i % 2].secret(name)),
			);
			const [secret] = asked;
			expect(new Set(asked).size).toBe(1);
			// 256 random bits.
			expect(secret).toMatch(/^[\w-]{43,}$/);
			expect(await fixture.ledger.secret(name)).toBe(secret);
			expect(await fixture.ledger.secret(`${name}.`)).not.toBe(secret);
		},
	},
	{
		name: 'a secret is not where events are: not by its name, nor by any list, claim or count',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const name = `links of ${namespace}`;
			const secret = await ledger.secret(name);
			const keys = [name, `secret/${name}`, 'secret', 'approval links'];
			const namespaces = [namespace, 'secret', 'ledger', 'entry', 'idempotency', name];
			const addresses = namespaces.flatMap((there) =>
				keys.map((key) => ({ namespace: there, key })),
			);
			const shown: unknown[] = [
				await ledger.get(addresses),
				await ledger.histories(addresses),
				await ledger.list({ limit: 1000 }),
				await ledger.list({ keyPart: name }),
				await ledger.stats(),
				await ledger.recoveries(),
				await ledger.check(),
			];
			for (const there of namespaces) {
				shown.push(await ledger.list({ namespace: there, keyPrefix: 'secret' }));
				for (const key of keys) {
					// Whoever claims such a key gets an event of its own, and cannot set the secret by it.
					const request = { claimant: ALICE, alias: `secret/${name}`, input: 'forged' };
					const [result] = await ledger.claimEvents([{ namespace: there, key, ...request }]);
					shown.push(result);
				}
			}
			await ledger.importRecords([{ namespace, key: `secret/${name} 2`, result: 'forged' }]);
			await ledger.registerRecovery({ by: `secret/${name}`, forMs: 60_000 });
			await ledger.deleteEvents(addresses.map((address) => ({ ...address, by: 'olga' })));
			await ledger.purge();
			expect(JSON.stringify(shown)).not.toContain(secret);
			expect(await ledger.secret(name)).toBe(secret);
			expect(await (await fixture.openAnother()).secret(name)).toBe(secret);
		},
	},
	{
		name: 'recoveries: who hands out unfinished work, of which namespace or of all',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			const forMs = 60_000;
			expect(await recoveriesOf(fixture)).toEqual([]);
			await ledger.registerRecovery({ by: `${namespace} all`, forMs });
			await ledger.registerRecovery({ by: `${namespace} one`, namespace: 'orders', forMs });
			await ledger.registerRecovery({ by: `${namespace} one`, namespace: 'mails', forMs });
			// At every poll again.
			await ledger.registerRecovery({ by: `${namespace} all`, forMs });
			const expected = [
				{ by: `${namespace} all` },
				{ by: `${namespace} one`, namespace: 'mails' },
				{ by: `${namespace} one`, namespace: 'orders' },
			];
			expect(await recoveriesOf(fixture)).toEqual(expected);
			const other = { ...fixture, ledger: await fixture.openAnother() };
			expect(await recoveriesOf(other)).toEqual(expected);
			// No event is made by it.
			expect((await ledger.list({ namespace: 'orders', keyPart: namespace })).events).toEqual([]);
		},
	},
	{
		name: 'a recovery that did not register again is over',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			await ledger.registerRecovery({ by: `${namespace} short`, forMs: 1 });
			await ledger.registerRecovery({ by: `${namespace} long`, forMs: 60_000 });
			const { event } = await win(fixture, 'k');
			await untilPast(fixture, event.claimedAt + 1);
			const later = { ...fixture, ledger: await fixture.openAnother() };
			expect(await recoveriesOf(later)).toEqual([{ by: `${namespace} long` }]);
		},
	},
	{
		name: 'a registration is no event, and survives a purge',
		async run(fixture) {
			const { ledger, namespace } = fixture;
			await ledger.registerRecovery({ by: namespace, namespace, forMs: 60_000 });
			await ledger.purge();
			expect(await one(ledger.get([at(fixture, namespace)]))).toBeUndefined();
			expect((await claim(fixture, namespace)).outcome).toBe('new');
			const later = { ...fixture, ledger: await fixture.openAnother() };
			expect(await recoveriesOf(later)).toEqual([{ by: namespace, namespace }]);
		},
	},
];
