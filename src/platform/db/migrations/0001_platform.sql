create extension if not exists pg_trgm;

-- Answers to requests that carried an Idempotency-Key, written with the effect they describe.
create table platform.answers (
  service text not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status int not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (service, scope, key)
);
create index answers_created_at on platform.answers (created_at);

-- Signals between nodes where a pooler forbids LISTEN; each row matters for a few seconds.
create table platform.signals (
  id bigint generated always as identity primary key,
  payload text not null,
  created_at timestamptz(3) not null default now()
);
