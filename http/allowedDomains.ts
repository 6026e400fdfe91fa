/** What a credential may be used for, as n8n's editor lets people choose: `*.example.com` means subdomains, and only these. */
export function isDomainAllowed(url: string, allowed: string): boolean {
	const host = plain(new URL(url).hostname);
	return allowed
		.split(',')
		.map((domain) => plain(domain.trim()))
		.filter((domain) => domain !== '')
		.some((domain) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain));
}

function plain(host: string): string {
	return host.toLowerCase().replace(/\.$/, '');
}
