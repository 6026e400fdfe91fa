/** `npm run test:e2e -- --full`; otherwise storms and kills are shorter and only the default n8n is used. */
export const full = process.env.E2E_FULL === 'true';
