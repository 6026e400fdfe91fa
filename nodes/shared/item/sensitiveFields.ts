/** Which fields hold secrets, by their names. They are not stored, shown or sent anywhere else. */

/** Headers that prove who sent a request, under whatever name. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i;

/** Fields of credentials that are no secrets, so that answers may repeat them. */
const OPEN_CREDENTIAL_FIELD =
	/^(name|user|allowedHttpRequestDomains|allowedDomains|json|signatureMethod)$|url|scope|grantType|authentication/i;

/** Fields of what OAuth keeps beside the credential. */
const SECRET_OAUTH_FIELD = /token$/;

export function isSecretHeader(name: string): boolean {
	return SECRET_HEADER.test(name);
}

export function isSecretCredentialField(name: string): boolean {
	return !OPEN_CREDENTIAL_FIELD.test(name);
}

export function isSecretOAuthField(name: string): boolean {
	return SECRET_OAUTH_FIELD.test(name);
}

/** A URL without the user and password that may be written in it. */
export function withoutUserInfo(url: string): string {
	return url.replace(/\/\/[^/@]*@/, '//');
}
