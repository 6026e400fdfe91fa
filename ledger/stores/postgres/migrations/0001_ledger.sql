-- The tables of the ledger. `:schema` is the quoted name of the schema. Times are milliseconds since 1970.
--
-- Text that is compared or sorted is in byte order (COLLATE "C"): all stores sort alike, and an upgrade of the operating system's
-- locales cannot break an index.

-- The columns that records are found by, and all else in `body`. The free space of each page is for updates that change no indexed
-- column: Postgres then leaves all indexes alone.
CREATE TABLE :schema.event (
	-- Stands for the event in the table of its parts.
	id            bigint GENERATED ALWAYS AS IDENTITY (CACHE 100),
	namespace     text COLLATE "C" NOT NULL,
	key           text COLLATE "C" NOT NULL,
	revision      bigint NOT NULL,
	state         text COLLATE "C" NOT NULL,
	created_at    bigint NOT NULL,
	due_at        bigint,
	expires_at    bigint,
	execution_id  text COLLATE "C",
	fingerprint   text COLLATE "C",
	-- Whether it was inserted with `findSameContent`.
	finds_same    boolean NOT NULL,
	external_id   text COLLATE "C",
	alias         text COLLATE "C",
	duplicates    bigint NOT NULL,
	last_seen_at  bigint NOT NULL,
	body          text NOT NULL,
	-- In columns of their own, so that a large value stays where it is when the rest is written.
	input         text,
	result        text,
	-- What was appended since the last rotation, and what was appended between the two before.
	history       text,
	older         text,
	PRIMARY KEY (namespace, key)
) WITH (fillfactor = 50);

CREATE INDEX event_due ON :schema.event (state, due_at, namespace, key) WHERE state <> 'done';
-- By the hash of the namespace, which is smaller and cannot be mistaken for an index that finds one event.
CREATE INDEX event_created ON :schema.event (hashtext(namespace), created_at);
-- Only the start of a long id: with the longest namespace and key, an entry still has to be small enough for an index.
CREATE INDEX event_execution ON :schema.event (left(execution_id, 24), namespace, key) WHERE execution_id IS NOT NULL;
CREATE INDEX event_fingerprint ON :schema.event (hashtextextended(fingerprint, hashtext(namespace)), created_at)
	WHERE fingerprint IS NOT NULL;
CREATE INDEX event_external ON :schema.event (external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX event_alias ON :schema.event (namespace, alias) WHERE alias IS NOT NULL;
CREATE INDEX event_expires ON :schema.event (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE :schema.part (
	event_id     bigint NOT NULL,
	name         text COLLATE "C" NOT NULL,
	text         text NOT NULL,
	-- If there is one, the event is found by it, and this is the event's address.
	external_id  text COLLATE "C",
	namespace    text COLLATE "C",
	key          text COLLATE "C",
	PRIMARY KEY (event_id, name)
) WITH (fillfactor = 70);
CREATE INDEX part_external ON :schema.part (external_id) WHERE external_id IS NOT NULL;

-- The highest version of each object.
CREATE TABLE :schema.mark (
	namespace   text COLLATE "C" NOT NULL,
	object      text COLLATE "C" NOT NULL,
	version     double precision NOT NULL,
	-- The version before the last raise, for several marks of one object in one call.
	previous    double precision,
	expires_at  bigint NOT NULL,
	PRIMARY KEY (namespace, object)
);
CREATE INDEX mark_expires ON :schema.mark (expires_at);

-- How often what happened. New counts are appended: one row that all claims of a namespace add to would make each of them wait for
-- the commit of the one before. They are added up now and then (statements/fold.sql).
CREATE TABLE :schema.tally (
	namespace  text COLLATE "C" NOT NULL,
	day        date NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	count      bigint NOT NULL,
	PRIMARY KEY (namespace, day, kind)
);
CREATE TABLE :schema.tally_new (
	namespace  text COLLATE "C" NOT NULL,
	day        date NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	count      bigint NOT NULL
);

-- Small texts that are no events.
CREATE TABLE :schema.entry (
	name        text COLLATE "C" PRIMARY KEY,
	text        text NOT NULL,
	expires_at  bigint
);
CREATE INDEX entry_expires ON :schema.entry (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE :schema.version (
	version      integer PRIMARY KEY,
	migrated_at  timestamptz NOT NULL DEFAULT now()
);
