-- The tables of the ledger. Times are milliseconds since 1970, lengths of time are milliseconds. Text is compared and
-- sorted byte by byte, which is SQLite's default (BINARY), so that all stores sort alike.

-- Namespaces are few and their names are long: events refer to them by number.
CREATE TABLE namespace (
	id    INTEGER PRIMARY KEY,
	name  TEXT NOT NULL UNIQUE,
	-- How many of its events are done, expired ones included: the one count that would be too long to make by counting.
	done  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE event (
	-- Stands for the event in the tables of its steps and gates, and keeps the indexes small.
	id             INTEGER PRIMARY KEY,

	-- What it is. No foreign key to `namespace`, whose rows are never removed: it would cost every claim a look-up.
	namespace_id   INTEGER NOT NULL,
	key            TEXT NOT NULL,
	fingerprint    TEXT,

	-- Where it stands. `due_at` says when `take` hands it out next; it follows the lease while processing.
	state          TEXT NOT NULL,
	due_at         INTEGER,
	reason         TEXT,

	-- The claim: who has it (or had it last), the secret that proves it, and the outcome that it was won with.
	attempt        INTEGER NOT NULL,
	token          TEXT,
	claimant       TEXT,
	execution_id   TEXT,
	workflow_id    TEXT,
	outcome        TEXT,
	claimed_at     INTEGER NOT NULL,
	lease_until    INTEGER,

	-- What the claim asked for. Attempts are counted from `attempts_from`: the attempt of the last release.
	lease          INTEGER NOT NULL,
	retention      INTEGER NOT NULL,
	max_attempts   INTEGER NOT NULL,
	attempts_from  INTEGER NOT NULL DEFAULT 0,
	keep_input     INTEGER NOT NULL DEFAULT 0,

	-- Deliveries that were turned away.
	duplicates     INTEGER NOT NULL DEFAULT 0,
	last_seen_at   INTEGER NOT NULL,

	created_at     INTEGER NOT NULL,
	done_at        INTEGER,
	expires_at     INTEGER,
	external_id    TEXT,

	-- A JSON list of the newest entries. Null as long as nothing happened since the claim that made the row: that entry is
	-- in the other columns.
	history        TEXT,

	-- Values as text: JSON, or compressed JSON (see ledger/values.ts). Last, so that nothing else has to be read through them.
	-- Counting a duplicate or renewing a lease does not write them again: SQLite overwrites a row in place if its size stays.
	input          TEXT,
	result         TEXT,

	UNIQUE (namespace_id, key)
) STRICT;

-- take, lists by state, and counts of what is open.
CREATE INDEX event_due ON event (state, due_at, namespace_id) WHERE state <> 'done';
-- Lists, newest first.
CREATE INDEX event_created ON event (namespace_id, created_at);
-- What an execution holds or held.
CREATE INDEX event_execution ON event (execution_id) WHERE execution_id IS NOT NULL;
-- The same content under another key.
CREATE INDEX event_fingerprint ON event (namespace_id, fingerprint) WHERE fingerprint IS NOT NULL;
-- purge.
CREATE INDEX event_expires ON event (expires_at) WHERE expires_at IS NOT NULL;

-- Events as the code reads them: without their values, which may be large.
CREATE VIEW event_record AS
SELECT
	e.id, e.namespace_id AS namespaceId, n.name AS namespace, e.key, e.fingerprint, e.state, e.due_at AS dueAt, e.reason,
	e.attempt, e.token, e.claimant, e.execution_id AS executionId, e.workflow_id AS workflowId, e.outcome,
	e.claimed_at AS claimedAt, e.lease_until AS leaseUntil, e.lease, e.retention, e.max_attempts AS maxAttempts,
	e.attempts_from AS attemptsFrom, e.keep_input AS keepInput, e.duplicates, e.last_seen_at AS lastSeenAt,
	e.created_at AS createdAt, e.done_at AS doneAt, e.expires_at AS expiresAt, e.external_id AS externalId, e.history
FROM event e JOIN namespace n ON n.id = e.namespace_id;

-- Steps are listed in the order of `id`, in which they were begun.
CREATE TABLE step (
	id            INTEGER PRIMARY KEY,
	event_id      INTEGER NOT NULL REFERENCES event ON DELETE CASCADE,
	name          TEXT NOT NULL,
	state         TEXT NOT NULL,
	attempt       INTEGER NOT NULL,
	tries         INTEGER NOT NULL,
	execution_id  TEXT NOT NULL,
	claimant      TEXT,
	fingerprint   TEXT,
	started_at    INTEGER NOT NULL,
	finished_at   INTEGER,
	external_id   TEXT,
	output        TEXT,
	undo          TEXT,
	error         TEXT,
	UNIQUE (event_id, name)
) STRICT;

-- The newest request of each gate. `votes` is a JSON list with the id of each vote.
CREATE TABLE approval (
	position              INTEGER PRIMARY KEY,
	event_id              INTEGER NOT NULL REFERENCES event ON DELETE CASCADE,
	gate                  TEXT NOT NULL,
	id                    TEXT NOT NULL,
	state                 TEXT NOT NULL,
	fingerprint           TEXT NOT NULL,
	content               TEXT,
	required              INTEGER NOT NULL,
	votes                 TEXT NOT NULL,
	requested_at          INTEGER NOT NULL,
	expires_at            INTEGER,
	decided_at            INTEGER,
	decided_by            TEXT,
	comment               TEXT,
	previous_fingerprint  TEXT,
	previous_state        TEXT,
	UNIQUE (event_id, gate)
) STRICT;

-- The highest version that was claimed for an object.
CREATE TABLE mark (
	namespace_id  INTEGER NOT NULL,
	object        TEXT NOT NULL,
	version       REAL NOT NULL,
	expires_at    INTEGER NOT NULL,
	PRIMARY KEY (namespace_id, object)
) STRICT, WITHOUT ROWID;
CREATE INDEX mark_expires ON mark (expires_at);

-- How often what happened, by day (UTC, as 2026-01-31).
CREATE TABLE tally (
	namespace_id  INTEGER NOT NULL,
	day           TEXT NOT NULL,
	kind          TEXT NOT NULL,
	count         INTEGER NOT NULL,
	PRIMARY KEY (namespace_id, day, kind)
) STRICT, WITHOUT ROWID;
