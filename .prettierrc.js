module.exports = {
	useTabs: true,
	tabWidth: 2,
	singleQuote: true,
	semi: true,
	trailingComma: 'all',
	printWidth: 100,
	endOfLine: 'lf',
};
