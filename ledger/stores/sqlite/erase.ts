import type { DatabaseSync } from 'node:sqlite';

import { busyError } from './failures';

/** A file of this size takes a few tenths of a second to be written anew, in which n8n does nothing else. */
const MOST_TO_REWRITE = 64 * 1024 * 1024;

/**
 * Leaves nothing of what was removed in the file. `secure_delete` has overwritten it where it was last, but where SQLite moved it from,
 * a page may still have a copy in its unused space: of one in two hundred records. Only VACUUM removes these. In a large file, which it
 * would take too long to write anew, they stay until their pages fill up.
 */
export function erase(database: DatabaseSync): void {
	if (sizeOf(database) <= MOST_TO_REWRITE) database.exec('VACUUM');
	// Older versions of pages are in the journal until then.
	const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()!;
	if (busy) throw busyError();
}

function sizeOf(database: DatabaseSync): number {
	const { size } = database
		.prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
		.get()!;
	return size as number;
}
