/** n8n's REST API, as its editor uses it. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

export const OWNER = { email: 'owner@example.com', password: 'Idempotent1' };

export type WorkflowJson = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> & {
	settings?: IWorkflowBase['settings'];
};

export interface Execution {
	id: string;
	status: string;
	mode: string;
	retryOf?: string;
	data?: { resultData: { error?: { message: string }; runData: IDataObject } };
}

/** A refused request; the message is n8n's. */
export class N8nApiError extends Error {
	constructor(
		request: string,
		readonly status: number,
		answer: string,
	) {
		super(`${request}: ${status} ${answer}`);
	}
}

export class N8nApi {
	private cookie = '';
	private apiKey = '';

	constructor(private readonly url: string) {}

	/** Makes the owner account of a new n8n, or logs in to the one that was made before. */
	async logIn(): Promise<void> {
		const { email, password } = OWNER;
		const settings = await this.rest<IDataObject>('GET', '/settings');
		const { showSetupOnFirstLoad } = settings.userManagement as IDataObject;
		const response = showSetupOnFirstLoad
			? await this.send('POST', '/rest/owner/setup', {
					email,
					password,
					firstName: 'Ida',
					lastName: 'Potent',
				})
			: await this.send('POST', '/rest/login', { emailOrLdapLoginId: email, email, password });
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	async createCredential(name: string, type: string, data: IDataObject): Promise<string> {
		const credential = await this.rest<{ id: string }>('POST', '/credentials', {
			name,
			type,
			data,
		});
		return credential.id;
	}

	async credentials(): Promise<Array<{ id: string; name: string; type: string }>> {
		return await this.rest('GET', '/credentials');
	}

	/** What the Test button says. n8n 1.x tests only credentials that are saved, so this one is for a moment. */
	async testCredential(
		type: string,
		data: IDataObject,
	): Promise<{ status: string; message: string }> {
		const name = 'Under test';
		const id = await this.createCredential(name, type, data);
		try {
			return await this.rest('POST', '/credentials/test', {
				credentials: { id, name, type, data },
			});
		} finally {
			await this.rest('DELETE', `/credentials/${id}`);
		}
	}

	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.rest('GET', '/workflows');
	}

	/** Creates a workflow; resolves to its id. */
	async createWorkflow(workflow: WorkflowJson): Promise<string> {
		// n8n 1.x insists on being told that it is not active.
		const draft = { active: false, ...workflow };
		return (await this.rest<{ id: string }>('POST', '/workflows', draft)).id;
	}

	/** From now on its triggers run. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.rest<{ versionId: string }>('GET', `/workflows/${id}`);
		try {
			await this.rest('POST', `/workflows/${id}/activate`, { versionId });
			await this.published(id);
		} catch (error) {
			if (!(error instanceof N8nApiError)) throw error;
			// n8n 1.x runs error workflows as they are, and refuses to activate them.
			if (error.message.includes('has no node to start the workflow')) return;
			// It may also have another route, and is done when that answers.
			if (error.status !== 404) throw error;
			await this.rest('PATCH', `/workflows/${id}`, { active: true, versionId });
		}
	}

	private async published(id: string): Promise<void> {
		const deadline = Date.now() + 60_000;
		for (;;) {
			const { status } = await this.rest<{ status: string }>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			if (status === 'published') return;
			if (status === 'failed' || Date.now() > deadline) {
				throw new Error(`n8n did not publish the workflow ${id}: ${status}`);
			}
			await sleep(50);
		}
	}

	/** What the editor's "Execute workflow" does; resolves to the execution's id. */
	async runFrom(workflowId: string, trigger: string): Promise<string> {
		const workflowData = await this.rest<IDataObject>('GET', `/workflows/${workflowId}`);
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ workflowData, triggerToStartFrom: { name: trigger } },
		);
		return executionId;
	}

	/** Resolves to the id of the new execution, when that has ended. */
	async retry(executionId: string): Promise<string> {
		const execution = await this.rest<{ id: string }>('POST', `/executions/${executionId}/retry`, {
			loadWorkflow: false,
		});
		return execution.id;
	}

	async execution(id: string): Promise<Execution> {
		return await this.publicApi('GET', `/executions/${id}?includeData=true`);
	}

	/** The newest first. */
	async executions(workflowId: string, status?: string): Promise<Execution[]> {
		const query = new URLSearchParams({ workflowId, limit: '100', ...(status ? { status } : {}) });
		const { data } = await this.publicApi<{ data: Execution[] }>('GET', `/executions?${query}`);
		return data;
	}

	/** All types of nodes, or credentials, that n8n has loaded. */
	async types(kind: 'nodes' | 'credentials'): Promise<Array<{ name: string } & IDataObject>> {
		const response = await this.send('GET', `/types/${kind}.json`);
		return (await response.json()) as Array<{ name: string } & IDataObject>;
	}

	private async publicApi<T>(method: string, path: string): Promise<T> {
		if (!this.apiKey) {
			const scopes = await this.rest<string[]>('GET', '/api-keys/scopes');
			const { rawApiKey } = await this.rest<{ rawApiKey: string }>('POST', '/api-keys', {
				label: 'tests',
				scopes,
				expiresAt: null,
			});
			this.apiKey = rawApiKey;
		}
		return (await (await this.send(method, `/api/v1${path}`)).json()) as T;
	}

	private async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, `/rest${path}`, body);
		return ((await response.json()) as { data: T }).data;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				'content-type': 'application/json',
				cookie: this.cookie,
				...(this.apiKey ? { 'x-n8n-api-key': this.apiKey } : {}),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		if (response.ok) return response;
		throw new N8nApiError(`${method} ${path}`, response.status, await response.text());
	}
}
