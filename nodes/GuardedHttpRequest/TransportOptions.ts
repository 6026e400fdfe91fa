export interface Proxy {
	protocol: string;
	host: string;
	port: number;
	auth?: { username: string; password: string };
}

/** How requests travel. */
export interface TransportOptions {
	timeoutMs: number;
	/** None are followed if it is 0. */
	maxRedirects: number;
	proxy?: Proxy;
	allowUnauthorizedCerts: boolean;
}
