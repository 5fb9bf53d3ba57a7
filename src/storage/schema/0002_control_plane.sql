-- Tokens of reset mails: only their hashes, each good once.
create table storage.password_resets (
  hash bytea primary key,
  org_id uuid not null,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  foreign key (org_id, user_id) references storage.users (org_id, id) on delete cascade
);
create index password_resets_user on storage.password_resets (org_id, user_id);
create index password_resets_expired on storage.password_resets (expires_at);

-- Written now and then, not on every request.
alter table storage.api_keys add last_used_at timestamptz(3);
drop index storage.api_keys_org;
create index api_keys_newest on storage.api_keys (org_id, user_id, id desc) where revoked_at is null;

create index users_members on storage.users (org_id, created_at, id);

-- The audit log is read newest first, all of it or one action, or searched by a part of an object's key.
create index audit_logs_newest on storage.audit_logs (org_id, created_at desc, id desc);
create index audit_logs_action on storage.audit_logs (org_id, action, created_at desc, id desc);
create index audit_logs_object_key on storage.audit_logs using gin (object_key gin_trgm_ops)
  where object_key is not null;

-- How many rows an organization has of each action, so that a total need not count a million of them. Each
-- server process counts in a slot of its own: transactions side by side do not wait for one another.
create table storage.audit_counts (
  org_id uuid not null references storage.organizations,
  action text collate "C" not null,
  slot smallint not null,
  rows bigint not null,
  primary key (org_id, action, slot)
) with (fillfactor = 50);

create function storage.count_audit_rows() returns trigger language plpgsql as $$
begin
  insert into storage.audit_counts as c (org_id, action, slot, rows)
  select org_id, action, pg_backend_pid() % 32, count(*) from changed group by org_id, action order by org_id, action
  on conflict (org_id, action, slot) do update set rows = c.rows + excluded.rows;
  return null;
end $$;
create trigger audit_rows_added after insert on storage.audit_logs
  referencing new table as changed for each statement execute function storage.count_audit_rows();

create function storage.uncount_audit_rows() returns trigger language plpgsql as $$
begin
  insert into storage.audit_counts as c (org_id, action, slot, rows)
  select org_id, action, pg_backend_pid() % 32, -count(*) from changed group by org_id, action order by org_id, action
  on conflict (org_id, action, slot) do update set rows = c.rows + excluded.rows;
  return null;
end $$;
create trigger audit_rows_removed after delete on storage.audit_logs
  referencing old table as changed for each statement execute function storage.uncount_audit_rows();

create table storage.payments (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  user_id uuid not null,
  -- What the provider calls it.
  reference text collate "C" not null unique,
  storage_tier text not null,
  bandwidth_tier text not null,
  term_months int not null check (term_months > 0),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  created_at timestamptz(3) not null
);
create index payments_newest on storage.payments (org_id, created_at desc, id desc);

-- What the provider told us, each event once.
create table storage.payment_events (
  id text collate "C" primary key,
  received_at timestamptz(3) not null
);

create table storage.promo_codes (
  code text collate "C" primary key,
  months int not null check (months > 0),
  expires_at timestamptz(3),
  max_uses int check (max_uses > 0),
  uses int not null default 0,
  created_at timestamptz(3) not null,
  check (max_uses is null or uses <= max_uses)
);

create table storage.promo_redemptions (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  code text collate "C" not null references storage.promo_codes,
  months int not null,
  created_at timestamptz(3) not null,
  unique (org_id, code)
);
