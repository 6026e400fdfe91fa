-- The tables of the ledger. Columns have the names of the fields in RecordStore.ts. Times are milliseconds since 1970. Text is
-- compared and sorted byte by byte, which is SQLite's default (BINARY).

-- Namespaces are few and their names are long: records refer to them by number.
CREATE TABLE namespace (
	id       INTEGER PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	-- How many records it has, without those that are unindexed. Counting them would take too long.
	records  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE record (
	-- Refers to the record in other tables, and keeps the indexes small.
	id             INTEGER PRIMARY KEY,
	-- No foreign key: rows of `namespace` are never removed, and it would cost every insertion a look-up.
	namespaceId    INTEGER NOT NULL,
	key            TEXT NOT NULL,
	revision       INTEGER NOT NULL,
	state          TEXT NOT NULL,
	createdAt      INTEGER NOT NULL,
	dueAt          INTEGER,
	expiresAt      INTEGER,
	executionId    TEXT,
	fingerprint    TEXT,
	externalId     TEXT,
	alias          TEXT,
	duplicates     INTEGER NOT NULL DEFAULT 0,
	lastSeenAt     INTEGER NOT NULL,
	-- Whether it was inserted with `findSameContent`.
	sharesContent  INTEGER NOT NULL DEFAULT 0,
	-- A single insertion, which is what senders wait for, adds to the indexes for key and content only. This is then the kind of tally
	-- that it adds to, else ''. The other indexes and the tally follow later, for many records at once.
	unindexed      TEXT NOT NULL,
	body           TEXT NOT NULL,
	history        TEXT NOT NULL DEFAULT '',
	-- How many characters of the history were there at the last rotation, with the comma after them.
	olderHistory   INTEGER NOT NULL DEFAULT 0,
	-- Unless they are large, see `largeValue`.
	input          TEXT,
	result         TEXT,

	UNIQUE (namespaceId, key)
) STRICT;

-- Lists, most urgent first, and counts of what is open. Any number of records is never due: these are sorted by key.
CREATE INDEX recordDue ON record (namespaceId, state, dueAt) WHERE dueAt IS NOT NULL AND unindexed = '';
CREATE INDEX recordNeverDue ON record (namespaceId, state, key) WHERE dueAt = 253402300799000 AND unindexed = '';
-- Lists, newest first.
CREATE INDEX recordCreated ON record (namespaceId, createdAt) WHERE unindexed = '';
CREATE INDEX recordExecution ON record (executionId, namespaceId, key) WHERE executionId IS NOT NULL AND unindexed = '';
CREATE INDEX recordExternalId ON record (externalId) WHERE externalId IS NOT NULL AND unindexed = '';
-- The end of a fingerprint tells nearly all apart. Whole fingerprints would make this the largest index.
CREATE INDEX recordContent ON record (namespaceId, substr(fingerprint, -8)) WHERE fingerprint IS NOT NULL;
CREATE UNIQUE INDEX recordAlias ON record (namespaceId, alias) WHERE alias IS NOT NULL;
CREATE INDEX recordExpires ON record (expiresAt) WHERE expiresAt IS NOT NULL;

CREATE TABLE part (
	id          INTEGER PRIMARY KEY,
	recordId    INTEGER NOT NULL,
	name        TEXT NOT NULL,
	text        TEXT NOT NULL,
	externalId  TEXT,
	UNIQUE (recordId, name)
) STRICT;
CREATE INDEX partExternalId ON part (externalId) WHERE externalId IS NOT NULL;

-- An input or a result that would make it expensive to write anything else of its record.
CREATE TABLE largeValue (
	recordId  INTEGER NOT NULL,
	name      TEXT NOT NULL,
	text      TEXT NOT NULL,
	PRIMARY KEY (recordId, name)
) STRICT, WITHOUT ROWID;

-- A trigger and no foreign keys, which would cost every new part a look-up.
CREATE TRIGGER recordRemoved AFTER DELETE ON record BEGIN
	DELETE FROM part WHERE recordId = old.id;
	DELETE FROM largeValue WHERE recordId = old.id;
END;

-- One row: no record up to this id is unindexed.
CREATE TABLE indexed (upTo INTEGER NOT NULL) STRICT;
INSERT INTO indexed (upTo) VALUES (0);

-- The highest version that was seen of an object.
CREATE TABLE mark (
	namespaceId  INTEGER NOT NULL,
	object       TEXT NOT NULL,
	version      REAL NOT NULL,
	expiresAt    INTEGER NOT NULL,
	PRIMARY KEY (namespaceId, object)
) STRICT, WITHOUT ROWID;
CREATE INDEX markExpires ON mark (expiresAt);

-- How often what happened, by day (UTC, as 2026-01-31).
CREATE TABLE tally (
	namespaceId  INTEGER NOT NULL,
	day          TEXT NOT NULL,
	kind         TEXT NOT NULL,
	count        INTEGER NOT NULL,
	PRIMARY KEY (namespaceId, day, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
	name       TEXT PRIMARY KEY,
	text       TEXT NOT NULL,
	expiresAt  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX entryExpires ON entry (expiresAt) WHERE expiresAt IS NOT NULL;
