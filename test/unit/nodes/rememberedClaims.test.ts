import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type RememberedClaim,
	rememberClaims,
	rememberedClaims,
} from '../../../nodes/shared/rememberedClaims';

/** An execution with nothing but its context. */
function execution(context: object = {}): IExecuteFunctions {
	return { getContext: () => context } as unknown as IExecuteFunctions;
}

function claim(key: string, token: string): RememberedClaim {
	return { namespace: 'n', key, token, business: undefined, place: 'node/0/0' };
}

function claims(count: number, prefix: string, token = 't'): RememberedClaim[] {
	return Array.from({ length: count }, (_, i) => claim(`${prefix}${i}`, token));
}

function tokenOf(node: IExecuteFunctions, key: string, namespace = 'n'): string | undefined {
	return rememberedClaims(node)({ namespace, key })?.token;
}

describe('The claims of an execution', () => {
	it('are found by their event, and those of no other', () => {
		const node = execution();
		expect(tokenOf(node, 'a')).toBeUndefined();
		rememberClaims(node, [claim('a', 't1'), claim('b', 't2')]);
		expect(rememberedClaims(node)({ namespace: 'n', key: 'a' })).toStrictEqual(claim('a', 't1'));
		expect(tokenOf(node, 'c')).toBeUndefined();
		expect(tokenOf(node, 'a', 'other')).toBeUndefined();
	});

	it('are still there when the execution was saved', () => {
		const context = {};
		const business = { namespace: 'n2', key: 'b', token: 't2' };
		rememberClaims(execution(context), [{ ...claim('a', 't1'), business }]);
		const later = execution(JSON.parse(JSON.stringify(context)) as object);
		expect(rememberedClaims(later)({ namespace: 'n', key: 'a' })).toStrictEqual({
			...claim('a', 't1'),
			business,
		});
	});

	it('are the last on their event, also after one was asked for', () => {
		const node = execution();
		rememberClaims(node, [claim('a', 'old'), claim('b', 'tb'), claim('a', 'new')]);
		expect(tokenOf(node, 'a')).toBe('new');
		rememberClaims(node, [claim('a', 'newest')]);
		expect(tokenOf(node, 'a')).toBe('newest');
		expect(tokenOf(node, 'b')).toBe('tb');
	});

	it('are none where something else was saved in their place', () => {
		const node = execution({ idempotencyClaims: { a: claim('a', 'foreign') } });
		expect(tokenOf(node, 'a')).toBeUndefined();
		rememberClaims(node, [claim('a', 't1')]);
		expect(tokenOf(node, 'a')).toBe('t1');
	});

	it('are the newest 1000', () => {
		const context: { idempotencyClaims?: unknown[] } = {};
		const node = execution(context);
		rememberClaims(node, claims(600, 'a'));
		rememberClaims(node, [...claims(399, 'b'), claim('a0', 'again'), claim('c', 't')]);
		expect(tokenOf(node, 'a1')).toBe('t');
		rememberClaims(node, [claim('d', 't')]);
		expect(tokenOf(node, 'a1')).toBeUndefined();
		expect(tokenOf(node, 'a0')).toBe('again');
		expect(tokenOf(node, 'a2')).toBe('t');
		expect(context.idempotencyClaims).toHaveLength(1000);
	});

	it('are as many when each is remembered twice', () => {
		const node = execution();
		for (const prefix of ['a', 'b']) {
			rememberClaims(node, claims(500, prefix));
			rememberClaims(node, claims(500, prefix, 'with business key'));
		}
		const tokens = claims(500, 'a').map(({ key }) => tokenOf(node, key));
		expect(new Set(tokens)).toEqual(new Set(['with business key']));
	});
});
