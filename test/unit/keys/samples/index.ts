import { business } from './business';
import { commerce } from './commerce';
import { development } from './development';
import { mail } from './mail';
import { messaging } from './messaging';
import { payments } from './payments';
import { standards } from './standards';
import type { Sample } from './types';

export type { Sample } from './types';

export const SAMPLES: Sample[] = [
	...payments,
	...commerce,
	...development,
	...messaging,
	...mail,
	...business,
	...standards,
];

/** Senders whose id is only in the headers, so that a body alone says nothing about them. */
export const HEADERS_ONLY = [
	'contentful',
	'github',
	'gitlab',
	'vercel',
	'pandadoc',
	'prolific',
	'standard-webhooks',
	'hookdeck',
];

/** Mail does not come as a webhook call. */
export const NO_WEBHOOK = ['email'];
