import type { IExecuteFunctions } from 'n8n-workflow';

import type { Holder } from '../../../ledger/records';
import {
	ExecutionClaims,
	saveClaimsToExecution,
} from '../../../nodes/shared/ledger/executionClaims';
import type { WonClaim } from '../../../nodes/shared/ledger/HeldClaim';
import { executionIdentity } from '../../../nodes/shared/n8n/executionIdentity';
import { execution } from './execution';

const PLACE = { nodeId: 'node', runIndex: 0, itemIndex: 0 };

function won(node: IExecuteFunctions, key: string, more: Partial<WonClaim> = {}): WonClaim {
	const { holder } = executionIdentity(node);
	return { namespace: 'n', key, attempt: 1, holder, isInherited: false, place: PLACE, ...more };
}

function last(node: IExecuteFunctions, key: string, namespace = 'n') {
	return new ExecutionClaims(node).last({ namespace, key });
}

function find(node: IExecuteFunctions, key: string, attempt: number, executionId: string) {
	return new ExecutionClaims(node).find({ namespace: 'n', key, attempt, executionId });
}

describe('The claims of an execution', () => {
	it('are found by their event, and those of no other', () => {
		const node = execution('1');
		expect(last(node, 'a')).toBeUndefined();
		saveClaimsToExecution(node, [won(node, 'a'), won(node, 'b c')]);
		expect(last(node, 'a')).toStrictEqual(won(node, 'a'));
		expect(last(node, 'b c')).toStrictEqual(won(node, 'b c'));
		expect(last(node, 'c')).toBeUndefined();
		expect(last(node, 'a', 'other')).toBeUndefined();
	});

	it('are still there when the execution was saved', () => {
		const before = execution('1');
		const place = { nodeId: 'other node', runIndex: 3, itemIndex: 17 };
		const claim = won(before, 'é 5\u2028 / x', { attempt: 7, place, namespace: '' });
		saveClaimsToExecution(before, [claim, won(before, '__proto__')]);
		const later = before.savedAndRead('1');
		expect(last(later, claim.key, '')).toStrictEqual(claim);
		expect(last(later, '__proto__')).toStrictEqual(won(later, '__proto__'));
	});

	it('are the last on their event, also after one was asked for', () => {
		const node = execution('1');
		const claims = [won(node, 'a'), won(node, 'b'), won(node, 'a', { attempt: 2 })];
		saveClaimsToExecution(node, claims);
		expect(last(node, 'a')?.attempt).toBe(2);
		saveClaimsToExecution(node, [won(node, 'a', { attempt: 3 })]);
		expect(last(node, 'a')?.attempt).toBe(3);
		expect(last(node, 'b')?.attempt).toBe(1);
	});

	it.each([
		{ a: 1 },
		[{ namespace: 'n', key: 'a' }],
		{ names: ['n', '{}', 'node'], claims: ['0 1 2 0 0 1 a', 'nonsense', 5] },
		{ names: 'n', claims: [] },
	])('are none where something else was saved in their place: %j', (saved) => {
		const node = execution('1', { context: { idempotencyClaims: saved } });
		expect(last(node, 'a')).toBeUndefined();
		saveClaimsToExecution(node, [won(node, 'a')]);
		expect(last(node, 'a')?.attempt).toBe(1);
	});

	it('are all found, however many, and take little room', () => {
		const node = execution('1');
		const keys = Array.from({ length: 100_000 }, (_, i) => `order-${i}`);
		const claims = keys.map((key, itemIndex) => won(node, key, { place: { ...PLACE, itemIndex } }));
		for (let i = 0; i < claims.length; i += 1000) {
			saveClaimsToExecution(node, claims.slice(i, i + 1000));
		}
		const size = JSON.stringify(node.saved()).length;
		expect(size).toBeLessThan(40 * claims.length);
		const later = node.savedAndRead('1');
		const found = new ExecutionClaims(later);
		const missing = keys.filter((key) => found.last({ namespace: 'n', key }) === undefined);
		expect(missing).toEqual([]);
	});

	it('take linear time in a loop that asks for each', () => {
		const time = (rounds: number) => {
			const node = execution('1');
			const began = performance.now();
			for (let i = 0; i < rounds; i++) {
				saveClaimsToExecution(node, [won(node, 'same', { attempt: i + 1 }), won(node, `k${i}`)]);
				expect(find(node, `k${i}`, 1, '1')).toBeDefined();
			}
			return performance.now() - began;
		};
		time(500);
		expect(time(8000) / time(2000)).toBeLessThan(12);
	});
});

describe('The claim that an item shows', () => {
	const orig = execution('1');
	saveClaimsToExecution(orig, [won(orig, 'a'), won(orig, 'a', { attempt: 2 })]);

	it('is found as it was won, also an earlier one, which the ledger then refuses', () => {
		const { holder } = executionIdentity(orig);
		expect(find(orig, 'a', 1, '1')).toMatchObject({ holder, attempt: 1, isInherited: false });
		expect(find(orig, 'a', 2, '1')).toMatchObject({ holder, attempt: 2, isInherited: false });
	});

	it('is nothing in an execution that has not won it, whatever the item says', () => {
		const other = execution('2');
		saveClaimsToExecution(other, [won(other, 'b')]);
		expect(find(other, 'a', 2, '1')).toBeUndefined();
		expect(find(other, 'a', 2, '2')).toBeUndefined();
		expect(find(orig, 'b', 1, '1')).toBeUndefined();
	});

	it('is that of the execution which is retried by hand', () => {
		const retry = orig.savedAndRead('2');
		const { holder, retried } = executionIdentity(retry);
		expect(retried).toEqual([executionIdentity(orig).holder]);
		expect(find(retry, 'a', 2, '1')).toMatchObject({ holder: retried[0], isInherited: false });
		saveClaimsToExecution(retry, [won(retry, 'a', { attempt: 3 })]);
		expect(find(retry, 'a', 3, '2')).toMatchObject({ holder, attempt: 3 });
		expect(last(retry, 'a')).toMatchObject({ holder, attempt: 3 });
	});

	it('is that of the parents of a sub-execution, at any depth and after a wait', () => {
		const parent = executionIdentity(orig).holder;
		const child = orig.subExecution('5');
		const grandchild = child.subExecution('6').savedAndRead('6');
		for (const node of [child, grandchild]) {
			expect(find(node, 'a', 2, '1')).toStrictEqual({
				namespace: 'n',
				key: 'a',
				attempt: 2,
				holder: parent,
				isInherited: true,
			});
			expect(find(node, 'a', 2, '9')).toBeUndefined();
		}
	});

	it("is not a child's in its parent", () => {
		const child = orig.subExecution('5');
		saveClaimsToExecution(child, [won(child, 'c')]);
		expect(find(child, 'c', 1, '5')).toMatchObject({ isInherited: false });
		expect(find(orig, 'c', 1, '5')).toBeUndefined();
	});

	it('may be one that a child won in the name of its parent', () => {
		const { holder } = executionIdentity(orig);
		expect(find(orig, 'a', 5, '1')).toMatchObject({ holder, attempt: 5, isInherited: false });
	});
});

describe('The identity of an execution', () => {
	const identity = (node: IExecuteFunctions): Holder => executionIdentity(node).holder;

	it('is the same for all nodes, after waits, and before anything is saved', () => {
		const token = 'resume-token';
		const node = execution('1', { resumeToken: token });
		expect(identity(node)).toEqual(identity(node));
		expect(identity(node.savedAndRead('1'))).toEqual(identity(node));
		expect(identity(execution('1', { resumeToken: token }))).toEqual(identity(node));
		expect(JSON.stringify(node.saved())).not.toContain(`${token}"]`);
		expect(identity(node)).toMatchObject({ instance: 'instance', executionId: '1' });
	});

	it('is another for a retry by hand, and for an execution of a clone with the same number', () => {
		const node = execution('1', { resumeToken: 'one' });
		expect(identity(node.savedAndRead('2')).nonce).not.toBe(identity(node).nonce);
		const clone = execution('1', { resumeToken: 'two' });
		expect(identity(clone).nonce).not.toBe(identity(node).nonce);
	});

	it('is kept with the execution where n8n has no resume token', () => {
		const node = execution('1', { resumeToken: undefined });
		expect(identity(node)).toEqual(identity(node));
		expect(identity(node.savedAndRead('1'))).toEqual(identity(node));
		expect(identity(node.savedAndRead('2')).nonce).not.toBe(identity(node).nonce);
		expect(identity(execution('1', { resumeToken: undefined }))).not.toEqual(identity(node));
	});
});
