import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between clients and a server and, now and then, loses an answer together with its connection. */
export class LossyProxy {
	losesAnswer = () => false;
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
		client.on('data', (question) => server.write(question));
		server.on('data', (answer) => {
			if (this.losesAnswer()) {
				this.losses++;
				client.destroy();
			} else {
				client.write(answer);
			}
		});
	}
}
