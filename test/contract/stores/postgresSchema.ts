import { randomUUID } from 'node:crypto';

import { Client } from 'pg';

import {
	openPostgresStore,
	type PostgresStore,
} from '../../../ledger/stores/postgres/PostgresStore';
import { insertion } from '../records/fixture';

export const url = process.env.TEST_POSTGRES_URL!;
export const of = { namespace: 'n' };

/** A connection of the administrator, and the schema of the test that runs. */
export const place = {} as { admin: Client; schema: string };

/** A schema of its own for each test of a file. */
export function useSchema(): void {
	beforeAll(async () => {
		place.admin = new Client({ connectionString: url });
		await place.admin.connect();
	});
	afterAll(async () => await place.admin.end());

	beforeEach(() => {
		place.schema = `internal_${randomUUID().replaceAll('-', '_')}`;
	});
	afterEach(async () => {
		const { admin, schema } = place;
		await admin.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
	});
}

export type Settings = Partial<Parameters<typeof openPostgresStore>[0]>;

export async function open(settings: Settings = {}): Promise<PostgresStore> {
	return await openPostgresStore({ store: 'postgres', url, schema: place.schema, ...settings });
}

export async function withStore<T>(
	settings: Settings,
	action: (store: PostgresStore) => Promise<T>,
): Promise<T> {
	const store = await open(settings);
	try {
		return await action(store);
	} finally {
		await store.close();
	}
}

export async function insertOnce(
	store: PostgresStore,
	key: string = randomUUID(),
): Promise<boolean> {
	const { replies } = await store.insert([insertion(of, key)]);
	return replies[0].inserted;
}
