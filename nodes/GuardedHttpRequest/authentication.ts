import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { isDomainAllowed } from '../../http/allowedDomains';
import { oauth1Header, type OAuth1Secrets, type Signable } from '../../http/oauth1';
import { isSecretCredentialField, isSecretOAuthField } from '../shared/item/sensitiveFields';

/** What a request carries to prove who sends it. It is added on the way out and is in nothing that is compared or stored. */
export interface Proof {
	headers: Record<string, string>;
	query: Array<[string, string]>;
	/** Fields of the body. */
	body?: Record<string, unknown>;
	auth?: { username: string; password: string; sendImmediately?: boolean };
	/** Made anew for every attempt. */
	sign?: (request: Signable) => Record<string, string>;
	/** n8n's own helper has to send it: it gets and renews the token. */
	isOAuth2?: boolean;
	/** TLS client certificate. */
	certificate?: Record<string, string>;
	allowedDomains?: string;
	/** What must not be seen anywhere. */
	secrets: string[];
}

type Credential = ICredentialDataDecryptedObject;

const MAKERS: Record<string, (credential: Credential, node: IExecuteFunctions) => Partial<Proof>> =
	{
		httpBasicAuth: (credential) => {
			const auth = userAndPassword(credential);
			const sent = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
			return { auth, secrets: [sent] };
		},
		httpDigestAuth: (credential) => ({
			auth: { ...userAndPassword(credential), sendImmediately: false },
		}),
		httpBearerAuth: ({ token }) => ({ headers: { Authorization: `Bearer ${String(token)}` } }),
		httpHeaderAuth: ({ name, value }) => ({ headers: { [String(name)]: String(value) } }),
		httpQueryAuth: ({ name, value }) => ({ query: [[String(name), String(value)]] }),
		httpCustomAuth: customProof,
		oAuth1Api: oauth1Proof,
		oAuth2Api: () => ({ isOAuth2: true }),
	};

/** Refuses if the credential may not be used for all of the URLs. */
export async function readProof(
	node: IExecuteFunctions,
	i: number,
	urls: string[],
): Promise<Proof> {
	const type = node.getNodeParameter('authentication', i, 'none') as string;
	const proof: Proof = { headers: {}, query: [], secrets: [] };
	if (type !== 'none') {
		const credential = await node.getCredentials(type, i);
		const [allowedDomains] = urls.map((url) => allowedBy(node, i, credential, url));
		const { secrets = [], ...made } = MAKERS[type](credential, node);
		Object.assign(proof, made, { allowedDomains, secrets: [...secretsOf(credential), ...secrets] });
	}
	if (node.getNodeParameter('provideSslCertificates', i, false) === true) {
		const credential = await node.getCredentials('httpSslAuth', i);
		proof.certificate = certificate(credential);
		proof.secrets.push(...secretsOf(credential));
	}
	return proof;
}

function userAndPassword({ user, password }: Credential) {
	return { username: String(user ?? ''), password: String(password ?? '') };
}

function customProof({ json }: Credential, node: IExecuteFunctions): Partial<Proof> {
	try {
		const { headers = {}, qs = {}, body } = JSON.parse(String(json)) as Record<string, object>;
		const query = Object.entries(qs).map(([name, value]): [string, string] => [
			name,
			String(value),
		]);
		const values = [headers, qs, body ?? {}].flatMap((part) => Object.values(part).map(String));
		return {
			headers: headers as Proof['headers'],
			query,
			body: body as Proof['body'],
			secrets: values,
		};
	} catch {
		throw new NodeOperationError(node.getNode(), 'The Custom Auth credential is not valid JSON', {
			description: 'It looks like { "headers": { "X-Api-Key": "…" } }',
		});
	}
}

function oauth1Proof(credential: Credential, node: IExecuteFunctions): Partial<Proof> {
	const { consumerKey, consumerSecret, signatureMethod, oauthTokenData } = credential;
	const tokens = oauthTokenData as
		| { oauth_token?: string; oauth_token_secret?: string }
		| undefined;
	if (!tokens?.oauth_token) {
		throw new NodeOperationError(node.getNode(), 'The OAuth1 credential is not connected', {
			description: 'Open the credential and connect its account',
		});
	}
	const secrets: OAuth1Secrets = {
		consumerKey: String(consumerKey),
		consumerSecret: String(consumerSecret),
		token: tokens.oauth_token,
		tokenSecret: tokens.oauth_token_secret ?? '',
		signatureMethod: signatureMethod as OAuth1Secrets['signatureMethod'],
	};
	return { sign: (request) => ({ Authorization: oauth1Header(request, secrets) }) };
}

function certificate({ ca, cert, key, passphrase }: Credential): Record<string, string> {
	const given = Object.entries({ ca, cert, key }).filter(([, pem]) => pem);
	return {
		...Object.fromEntries(given.map(([name, pem]) => [name, lines(String(pem))])),
		...(passphrase ? { passphrase: String(passphrase) } : {}),
	};
}

/** n8n's password fields turn the line breaks of a key into spaces. */
function lines(pem: string): string {
	return pem
		.replace(/\\n/g, '\n')
		.replace(/(-----BEGIN [^-]+-----)([\s\S]*?)(-----END [^-]+-----)/g, (_all, begin, inner, end) =>
			[begin, ...(inner as string).trim().split(/\s+/), end].join('\n'),
		);
}

/** n8n's own HTTP nodes honour what an administrator has set on a credential; so does this one. */
function allowedBy(
	node: IExecuteFunctions,
	itemIndex: number,
	{ allowedHttpRequestDomains: mode, allowedDomains }: Credential,
	url: string,
): string | undefined {
	if (mode !== 'none' && mode !== 'domains') return undefined;
	const allowed = mode === 'none' ? '' : String(allowedDomains ?? '');
	if (allowed.trim() !== '' && isDomainAllowed(url, allowed)) return allowed;
	throw new NodeOperationError(
		node.getNode(),
		`The credential may not be used for ${new URL(url).hostname}`,
		{
			itemIndex,
			description:
				"Nothing was sent. See 'Allowed HTTP Request Domains' in the credential, or use another one",
		},
	);
}

/** All texts of a credential but those that are no secrets. */
function secretsOf(credential: Credential): string[] {
	return Object.entries(credential).flatMap(([name, value]): string[] => {
		if (typeof value === 'string') return isSecretCredentialField(name) ? [value] : [];
		return name === 'oauthTokenData' && typeof value === 'object' && value !== null
			? Object.entries(value as object).flatMap(([inner, token]) =>
					isSecretOAuthField(inner) && typeof token === 'string' ? [token] : [],
				)
			: [];
	});
}
