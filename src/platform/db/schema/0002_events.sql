-- What happened in every service, written by the statement that makes the change. `owner` is whose it is: a tenant, an
-- organization or an account. `data` is the resource as it was then, as its service stores it for its presenter.
--
-- An event has no `id` before somebody wants to read (see `number_events`), so that where nobody reads no row is touched
-- twice and a new one is entered in one index only. `seq` orders the events of a subject: it is taken while the change holds
-- the locks of the subject. There is no primary key, because nothing finds an event by `seq` once it has an id.
create table platform.events (
  seq bigint generated always as identity,
  service text not null,
  owner text not null,
  type text not null,
  subject text not null,
  data json not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  id uuid
);
create index events_without_id on platform.events (service, seq) where id is null;
create index events_of_owner on platform.events (service, owner, id) where id is not null;
create index events_of_type on platform.events (service, owner, type, id) where id is not null;
create index events_of_subject on platform.events (service, owner, subject, id) where id is not null;
create unique index events_by_id on platform.events (service, id) where id is not null;

-- The tick of the last id that each service has given out: milliseconds times 4096, which are the first 60 bits of the id.
-- Its row is the lock under which ids are given out.
create table platform.event_clocks (
  service text primary key,
  tick bigint not null
);

-- Up to which id events have been removed, for whom and of which type.
create table platform.event_horizons (
  service text not null,
  owner text not null,
  type text not null,
  removed_id uuid not null,
  primary key (service, owner, type)
);

-- Where the events of an owner are sent. Secrets are sealed; for a day after a rotation the previous one signs too.
create table platform.webhooks (
  id uuid primary key,
  service text not null,
  owner text not null,
  url text not null,
  -- As they were given, and the types that they stand for.
  patterns text[] not null,
  types text[] not null,
  description text,
  is_active boolean not null default true,
  -- Why it was switched off, if not by whoever manages it.
  switched_off text,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- When deliveries last began to fail; null after a success.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null
);
create index webhooks_of_owner on platform.webhooks (service, owner, created_at, id);
create index webhooks_active on platform.webhooks (service, owner) where is_active;

-- An event on its way to a webhook. It is `due` at a moment, unless an earlier one of the same subject is still pending:
-- `position` orders those of a subject. Whoever makes an attempt moves `due_at` on first, so that nobody else does, and so
-- that it is made again if its node dies.
create table platform.deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references platform.webhooks on delete cascade,
  position bigint generated always as identity,
  service text not null,
  event_id uuid not null,
  type text not null,
  subject text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'dead')),
  attempts int not null default 0,
  due_at timestamptz(3),
  response_status int,
  response_time_ms int,
  response_body text,
  error text,
  created_at timestamptz(3) not null
) with (fillfactor = 80);
create index deliveries_of_webhook on platform.deliveries (webhook_id, position);
create index deliveries_by_status on platform.deliveries (webhook_id, status, position);
create index deliveries_of_event on platform.deliveries (webhook_id, event_id);
-- Only the first pending delivery of a subject has a time: a receiver that is dead has few of those, however many wait.
create index deliveries_due on platform.deliveries (webhook_id, due_at) where status = 'pending' and due_at is not null;
create index deliveries_of_subject on platform.deliveries (webhook_id, subject, position) where status = 'pending';
create index deliveries_old on platform.deliveries (service, created_at);
