import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between clients and a server. Now and then it loses an answer together with its connection, or holds a question up. */
export class LossyProxy {
	/** Is asked for each answer, with the question that it is the answer to. */
	losesAnswer: (question: Buffer) => boolean = () => false;
	/** What happens while a client waits for an answer that is lost already, before it notices. */
	meanwhile: () => Promise<unknown> = async () => {};
	/** How long a question is on its way. */
	delay: (question: Buffer) => Promise<void> | undefined = () => undefined;
	losses = 0;
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		private readonly target: number,
	) {
		server.on('connection', (client) => this.join(client));
	}

	static async start(target: number): Promise<LossyProxy> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new LossyProxy(server, target);
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	async stop(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private join(client: Socket): void {
		const server = connect(this.target, '127.0.0.1');
		for (const [socket, other] of [
			[client, server],
			[server, client],
		]) {
			this.sockets.add(socket);
			socket.setNoDelay(true);
			socket.on('error', () => {});
			socket.on('close', () => {
				this.sockets.delete(socket);
				other.destroy();
			});
		}
		let question: Buffer[] = [];
		let isAnswered = false;
		let isLost = false;
		client.on('data', (part) => {
			if (isAnswered) question = [];
			isAnswered = false;
			question.push(part);
			const delay = this.delay(part);
			if (delay) void this.forwardAfter(delay, part, client, server);
			else server.write(part);
		});
		server.on('data', (answer) => {
			isAnswered = true;
			if (isLost) return;
			isLost = this.losesAnswer(Buffer.concat(question));
			if (isLost) void this.lose(client);
			else client.write(answer);
		});
	}

	/** Nothing overtakes it. */
	private async forwardAfter(
		delay: Promise<void>,
		part: Buffer,
		client: Socket,
		server: Socket,
	): Promise<void> {
		client.pause();
		await delay;
		server.write(part);
		client.resume();
	}

	private async lose(client: Socket): Promise<void> {
		this.losses++;
		try {
			await this.meanwhile();
		} finally {
			client.destroy();
		}
	}
}
