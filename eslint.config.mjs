import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

export default [
	{ ignores: ['dist/**'] },
	...configWithoutCloudSupport,
	{
		name: 'The ledger lives in Postgres or Redis: their drivers are the product',
		files: ['package.json'],
		rules: { '@n8n/community-nodes/no-runtime-dependencies': 'off' },
	},
	{
		name: 'Only nodes throw errors of n8n: the core below them knows nothing of n8n',
		files: [
			'ledger/**/*.ts',
			'keys/**/*.ts',
			'http/**/*.ts',
			'test/**/*.ts',
			'bench/**/*.ts',
			'scripts/**/*.ts',
		],
		rules: { '@n8n/community-nodes/require-node-api-error': 'off' },
	},
	{
		name: 'Tests, benchmarks and scripts start servers and worker processes, and print; none is published',
		files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
		rules: { '@n8n/community-nodes/no-dangerous-functions': 'off', 'no-console': 'off' },
	},
];
