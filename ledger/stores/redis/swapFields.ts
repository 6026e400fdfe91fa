/** The arguments of one swap, in their order. swap.lua knows them by these names, in capitals. */
export const SWAP_FIELDS = [
	'key',
	'revision',
	/** The next revision: Lua prints numbers with 14 digits. */
	'next',
	'createdAt',
	/** What else it is found by. */
	'head',
	'body',
	'append',
	/** What becomes of the input and the result; '' if both stay. */
	'values',
	/** What is rare, as JSON; '' if nothing is. */
	'options',
	'counts',
	/** How many arguments follow: three for each part, one for each large value. */
	'following',
] as const;
