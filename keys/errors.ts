/**
 * A key cannot be derived. `message` says what happened, `remedy` how to get unstuck; both are shown to
 * the person who built the workflow.
 */
export class KeyError extends Error {
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
		this.name = new.target.name;
	}
}
