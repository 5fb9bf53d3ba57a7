create extension if not exists pg_trgm;

-- Responses to requests that carried an Idempotency-Key, written together with their effect. `granted` is what the
-- service's rules asked for on the way; it is asked for again before a repeat gets the response.
create table platform.answers (
  service text not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status int not null,
  body text not null,
  granted text,
  created_at timestamptz(3) not null,
  primary key (service, scope, key)
);
create index answers_created_at on platform.answers (created_at);

-- What the operator calls this installation, and says about it; see platform/instance.
create table platform.instance (
  only_one boolean primary key default true check (only_one),
  settings jsonb not null,
  logo bytea
);

-- Signals between nodes where a pooler forbids LISTEN; each row matters for a few seconds. Nodes read by transaction
-- instead of by time: a signal counts from its commit, however long that took.
create table platform.signals (
  id bigint generated always as identity primary key,
  payload text not null,
  transaction xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index signals_transaction on platform.signals (transaction);

-- Recent attempts for each account of a service: wrong passwords and codes, and mails. An account is the hash of its
-- address, whether or not it exists. Rows are deleted once nothing in them counts any more.
create table platform.attempts (
  name text not null,
  account bytea not null,
  times timestamptz(3)[] not null,
  expires_at timestamptz(3) not null,
  primary key (name, account)
) with (fillfactor = 80);
create index attempts_expires_at on platform.attempts (expires_at);

-- The one link with which an account can choose a new password, by the hash of its token.
create table platform.password_resets (
  service text not null,
  account text not null,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (service, account)
);
create unique index password_resets_hash_key on platform.password_resets (hash);
create index password_resets_expires_at on platform.password_resets (expires_at);

-- Sessions of people who use the console of a service, by the hash of their cookie.
create table platform.console_sessions (
  hash bytea primary key,
  service text not null,
  account text not null,
  epoch int not null,
  expires_at timestamptz(3) not null
);
create index console_sessions_expires_at on platform.console_sessions (expires_at);

-- Batches of entries that are written in the background, so that one whose first attempt was cut off is not written twice.
create table platform.batches (
  id uuid primary key,
  created_at timestamptz(3) not null default now()
);
create index batches_created_at on platform.batches (created_at);

-- Work that excludes other work. A lease expires by itself if its holder dies.
create table platform.leases (
  name text primary key,
  until timestamptz not null
);
insert into platform.leases (name, until) values ('backup', '-infinity');

-- Which secret sealed and signed what is stored here, without revealing it.
create table platform.installation (
  only_one boolean primary key default true check (only_one),
  secret_fingerprint text not null
);
