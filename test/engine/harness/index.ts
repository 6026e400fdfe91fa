/**
 * Runs workflow JSON on the real engine of n8n (n8n-core), in this process: expressions, item linking,
 * retries, error outputs and hints are n8n's own. Only the nodes around ours are stand-ins, because
 * n8n-nodes-base is not installed.
 *
 * ```ts
 * const flow = workflow([
 *   { name: 'Webhook', type: 'webhook' },
 *   { name: 'Derive Key', type: 'deriveKey', parameters: { source: 'auto' } },
 * ]);
 * const run = await runWorkflow(flow, { nodes: [DeriveKey], items: [{ body: {} }] });
 * run.json('Derive Key');
 * ```
 * For a single node after a trigger there is `runNode`; for a node of a test's own, `defineNode`.
 */
export { retryExecution, runNode, runWorkflow, type RunOptions } from './engine';
export type { EngineRun } from './EngineRun';
export { defineNode } from './nodeTypes';
export { poll } from './polling';
export { type Visited, WaitingExecution } from './waiting';
export { workflow, type NodeSpec } from './workflow';
