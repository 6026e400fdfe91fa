import { type InstanceSettings, validateUrlSignature, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	IRunExecutionData,
	IWebhookData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { build, execute, surroundings } from './engine';
import type { EngineRun } from './EngineRun';

export interface Request {
	method?: 'GET' | 'POST';
	body?: IDataObject;
	ip?: string;
}

export interface Response {
	status: number;
	headers: Record<string, string>;
	body: string;
}

export interface Visited {
	/** What n8n or the node answered. */
	response: Response;
	/** What became of the execution, if it was continued. */
	continued?: EngineRun;
}

/**
 * An execution that waits, as n8n's server treats it: every request works on a copy from the database, and of those that want to continue it one
 * does (`WaitingWebhooks`, `executeWebhook` and `ActiveExecutions` of n8n 2.40, as far as they matter to a node).
 */
export class WaitingExecution {
	private isWaiting = true;

	constructor(
		private readonly run: EngineRun,
		/** The node's method, by default as n8n calls it. */
		private readonly webhook: (context: IWebhookFunctions) => Promise<IWebhookResponseData>,
	) {
		if (run.status !== 'waiting') throw new Error(`The execution is '${run.status}'`);
	}

	/** What is in n8n's database. */
	stored(): IRunExecutionData {
		return JSON.parse(JSON.stringify(this.run.data)) as IRunExecutionData;
	}

	/** A request to an address of the execution. Answers like n8n where the node is not asked. */
	async visit(
		url: string,
		{ method = 'GET', body, ip = '192.0.2.7' }: Request = {},
	): Promise<Visited> {
		const { workflow, options, executionId } = this.run;
		const target = new URL(url);
		const data = this.stored();
		const [entry] = data.executionData!.nodeExecutionStack;
		entry.node.disabled = true;
		data.waitTill = undefined;
		data.resultData.runData[data.resultData.lastNodeExecuted!].pop();
		const flow = build(workflow, options);
		const node = flow.getNode(data.resultData.lastNodeExecuted!)!;
		const response = new FakeResponse();
		const context = new WebhookContext(
			flow,
			node,
			{
				...surroundings(executionId, options),
				httpRequest: {
					method,
					headers: {},
					query: Object.fromEntries(target.searchParams),
					body: body ?? {},
					ip,
				} as never,
				httpResponse: response as never,
			},
			'webhook',
			{ webhookDescription: { name: 'default' } } as IWebhookData,
			[],
			data,
		);
		if (!isSigned(context, target)) return { response: plain(401) };
		if (!target.pathname.startsWith(`/webhook-waiting/${executionId}/`)) {
			return { response: plain(404) };
		}
		if (!this.isWaiting) return { response: plain(409) };
		if (target.pathname.split('/').at(-1) !== node.id) return { response: plain(200) };

		let result: IWebhookResponseData;
		try {
			result = await this.webhook(context);
		} catch {
			// The trap: n8n continues with an empty item, past a node that is switched off.
			result = { noWebhookResponse: true, workflowData: [[{ json: {} }]] };
		}
		if (result.workflowData === undefined || !this.isWaiting) return { response };
		this.isWaiting = false;
		entry.data.main = result.workflowData;
		entry.metadata = { ...entry.metadata, forwardAllOutputs: true } as never;
		return { response, continued: await this.goOn(data) };
	}

	/** The time that it waits until has come. */
	async timeOut(): Promise<EngineRun> {
		this.isWaiting = false;
		return await this.goOn(this.stored());
	}

	private async goOn(data: IRunExecutionData): Promise<EngineRun> {
		const { workflow, options, executionId } = this.run;
		// As when a worker reads it.
		const copy = JSON.parse(JSON.stringify(data)) as IRunExecutionData;
		if (copy.waitTill) copy.waitTill = new Date(copy.waitTill);
		const flow = build(workflow, options);
		return await execute(workflow, flow, copy, { ...options, executionId });
	}
}

/** By the secret of the instance, over path and query. */
function isSigned(context: WebhookContext, target: URL): boolean {
	const { instanceSettings } = context as unknown as { instanceSettings: InstanceSettings };
	const signature = target.searchParams.get('signature') ?? '';
	return validateUrlSignature(signature, target, instanceSettings.hmacSignatureSecret);
}

function plain(status: number): Response {
	return { status, headers: {}, body: '' };
}

/** Of express's response only what a node may need; anything else throws. */
class FakeResponse implements Response {
	headers: Record<string, string> = {};
	body = '';
	headersSent = false;
	private code = 200;

	// Both express's method and what tests look at.
	status = ((code: number) => {
		this.code = code;
		return this;
	}) as never;

	setHeader(name: string, value: string): this {
		if (this.headersSent) throw new Error('Headers are sent already');
		if (/[\r\n\0]/.test(value)) throw new Error(`Invalid character in header ${name}`);
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	send(body: string): this {
		if (this.headersSent) throw new Error('Something was sent already');
		this.headersSent = true;
		this.body = body;
		this.status = this.code as never;
		return this;
	}
}
