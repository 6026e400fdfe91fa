import { isSafe, type Method } from '../methods';
import { business } from './business';
import { messaging } from './messaging';
import { payments } from './payments';
import { MINUTE } from './time';
import type { Provider } from './types';

export type { Evidence, Place, Provider } from './types';

/** Those that recognise a repeated request by its key. The first that fits a URL is used. */
export const PROVIDERS: readonly Provider[] = [...payments, ...business, ...messaging];

/** As long as this any provider keeps a key, we dare say, where it does not publish how long. */
const UNPUBLISHED_MS = 30 * MINUTE;

const byId = new Map(PROVIDERS.map((provider) => [provider.id, provider]));

export function providerById(id: string): Provider | undefined {
	return byId.get(id);
}

/** The provider that a request goes to, if we know it and it takes keys for such requests. */
export function detectProvider(url: URL, method: Method): Provider | undefined {
	return PROVIDERS.find(
		(provider) =>
			provider.host?.test(url.hostname) &&
			(provider.path?.test(url.pathname) ?? true) &&
			takesKey(provider, method),
	);
}

/** Whether a provider recognises requests with this method. */
export function takesKey({ methods }: Provider, method: Method): boolean {
	return methods ? methods.includes(method) : !isSafe(method);
}

/** How long after the first attempt a key still protects, in milliseconds; undefined: for ever. */
export function protectsFor({ retention }: Pick<Provider, 'retention'>): number | undefined {
	if (retention === 'forever') return undefined;
	return retention === 'unpublished' ? UNPUBLISHED_MS : retention;
}
