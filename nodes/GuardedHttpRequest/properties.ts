import type { INodeProperties } from 'n8n-workflow';

import { authenticationProperties } from './credentials';
import { guardProperties } from './guardProperties';
import { optionProperties } from './optionProperties';
import { contentProperties, requestProperties } from './requestProperties';

export const properties: INodeProperties[] = [
	...requestProperties,
	...authenticationProperties,
	...contentProperties,
	...guardProperties,
	optionProperties,
];
