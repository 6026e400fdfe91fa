import type { IHttpRequestMethods, IWebhookDescription } from 'n8n-workflow';

const page = (httpMethod: IHttpRequestMethods): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
});

/** At the address of an execution that waits here: GET shows the page, POST decides. */
export const webhooks: IWebhookDescription[] = [page('GET'), page('POST')];
