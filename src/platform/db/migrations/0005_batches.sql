-- Batches of entries that are written after the fact, so that one whose first attempt was cut off is not written twice.
create table platform.batches (
  id uuid primary key,
  created_at timestamptz(3) not null default now()
);
create index batches_created_at on platform.batches (created_at);
