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
