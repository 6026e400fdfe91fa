-- The tables of the ledger. `:schema` is replaced by the quoted name of the schema; with psql:
-- `psql -v schema=idempotency -f …`.
--
-- Text that is compared or sorted is in byte order (COLLATE "C"), so that all stores sort alike and an upgrade
-- of the operating system's locales cannot break an index.

CREATE TABLE :schema.event (
	-- Stands for the event in the tables of its steps and gates.
	id            bigint GENERATED ALWAYS AS IDENTITY,

	-- What it is.
	namespace     text COLLATE "C" NOT NULL,
	key           text COLLATE "C" NOT NULL,
	fingerprint   text COLLATE "C",

	-- Where it stands. `due_at` says when `take` hands it out next; it follows the lease while processing.
	state         text COLLATE "C" NOT NULL
	              CHECK (state IN ('processing', 'waiting', 'done', 'failed', 'review')),
	due_at        timestamptz,
	reason        text,

	-- The claim: who has it (or had it last), the secret that proves it, and what it was found as.
	attempt       integer NOT NULL,
	token         text,
	claimant      text,
	execution_id  text COLLATE "C",
	workflow_id   text,
	outcome       text,
	claimed_at    timestamptz NOT NULL,
	lease_until   timestamptz,

	-- What the claim asked for. Attempts are counted from `attempts_from`: the attempt of the last release.
	lease_ms      bigint NOT NULL,
	retention_ms  bigint NOT NULL,
	max_attempts  integer NOT NULL,
	attempts_from integer NOT NULL DEFAULT 0,
	keep_input    boolean NOT NULL DEFAULT false,

	-- Deliveries that were turned away.
	duplicates    bigint NOT NULL DEFAULT 0,
	last_seen_at  timestamptz NOT NULL,

	created_at    timestamptz NOT NULL,
	done_at       timestamptz,
	expires_at    timestamptz,
	external_id   text,

	-- Values as text: JSON, or compressed JSON (see ledger/values.ts).
	input         text,
	result        text,

	-- The newest entries of what happened, in the same row so that it is the same write. Null as long as nothing has
	-- happened since the claim that made the row, which is most rows' only entry at the time that counts.
	history       jsonb,

	PRIMARY KEY (namespace, key)
);

-- take, and lists of what is open.
CREATE INDEX event_due ON :schema.event (state, due_at) WHERE state <> 'done';
-- Lists, newest first. By the hash of the namespace: it is smaller, and above all it cannot be mistaken for an index that finds one
-- event, which a plan made while the table is still empty would do, to be kept when it no longer is.
CREATE INDEX event_created ON :schema.event (hashtext(namespace), created_at);
-- What an execution holds or held.
CREATE INDEX event_execution ON :schema.event (execution_id);
-- The same content under another key.
CREATE INDEX event_fingerprint ON :schema.event (namespace, fingerprint) WHERE fingerprint IS NOT NULL;
-- purge.
CREATE INDEX event_expires ON :schema.event (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE :schema.step (
	-- The order in which steps were begun.
	id            bigint GENERATED ALWAYS AS IDENTITY,
	event_id      bigint NOT NULL,
	name          text COLLATE "C" NOT NULL,
	state         text COLLATE "C" NOT NULL CHECK (state IN ('started', 'done', 'failed')),
	attempt       integer NOT NULL,
	tries         integer NOT NULL,
	execution_id  text NOT NULL,
	claimant      text,
	-- The call that started it last: its repetition, after a lost answer, is not a second try.
	call          text,
	fingerprint   text,
	started_at    timestamptz NOT NULL,
	finished_at   timestamptz,
	external_id   text,
	output        text,
	undo          text,
	error         text,
	PRIMARY KEY (event_id, name)
);

-- `id` changes when changed content is asked for anew. Votes carry an id, so that a repeated one is recognised.
CREATE TABLE :schema.approval (
	event_id              bigint NOT NULL,
	gate                  text COLLATE "C" NOT NULL,
	id                    text NOT NULL,
	state                 text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'approved', 'rejected', 'expired')),
	fingerprint           text NOT NULL,
	content               text,
	required              integer NOT NULL,
	votes                 jsonb NOT NULL DEFAULT '[]',
	requested_at          timestamptz NOT NULL,
	expires_at            timestamptz,
	decided_at            timestamptz,
	decided_by            text,
	comment               text,
	previous_fingerprint  text,
	previous_state        text,
	PRIMARY KEY (event_id, gate)
);

-- The highest version that was claimed for an object.
CREATE TABLE :schema.mark (
	namespace   text COLLATE "C" NOT NULL,
	object      text COLLATE "C" NOT NULL,
	version     double precision NOT NULL,
	expires_at  timestamptz NOT NULL,
	PRIMARY KEY (namespace, object)
);
CREATE INDEX mark_expires ON :schema.mark (expires_at);

-- How often what happened. New counts are only appended, because one row that all claims of a namespace add to would make each
-- of them wait for the commit of the one before; now and then somebody adds them up (fold_tallies).
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
