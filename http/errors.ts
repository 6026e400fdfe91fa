/**
 * A request cannot be made as it is asked for. `message` says what is wrong, `remedy` how to get unstuck; both are shown to the
 * person who built the workflow.
 */
export class RequestError extends Error {
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
		this.name = new.target.name;
	}
}
