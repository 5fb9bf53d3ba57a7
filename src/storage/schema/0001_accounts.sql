-- Domains instead of checks, which PostgreSQL would parse again for every statement that writes to the table (ADR 35).
create domain storage.plan_status as text check (value in ('trial', 'active'));
-- Of objects or bytes.
create domain storage.amount as bigint check (value >= 0);

create table storage.organizations (
  id uuid primary key,
  name text not null,
  slug text collate "C" not null constraint organizations_slug_key unique,
  plan_status storage.plan_status not null,
  plan_expires_at timestamptz(3) not null,
  -- The end of the plan that clients were told of once it had passed.
  plan_end_told timestamptz(3),
  storage_tier text not null,
  bandwidth_tier text not null,
  storage_quota_bytes bigint not null,
  bandwidth_quota_bytes bigint not null,
  -- Rows cost space, too, however few bytes they stand for. How many things may be kept: one for each 8 KiB.
  object_quota bigint not null generated always as (storage_quota_bytes / 8192) stored,
  storage_used_bytes storage.amount not null default 0,
  -- Objects, live and deleted, versions, markers and pending uploads.
  retained_objects storage.amount not null default 0,
  pending_uploads storage.amount not null default 0,
  -- The month (its first day, UTC) that bandwidth_used_bytes counts.
  bandwidth_month date not null default '1970-01-01',
  bandwidth_used_bytes storage.amount not null default 0,
  -- How much of each quota is used: 95 per cent or more, 80 or more, or less. Clients are warned when it rises.
  storage_level smallint not null generated always as (case
    when storage_used_bytes * 100 >= storage_quota_bytes * 95 then 95
    when storage_used_bytes * 100 >= storage_quota_bytes * 80 then 80 else 0 end) stored,
  bandwidth_level smallint not null generated always as (case
    when bandwidth_used_bytes * 100 >= bandwidth_quota_bytes * 95 then 95
    when bandwidth_used_bytes * 100 >= bandwidth_quota_bytes * 80 then 80 else 0 end) stored,
  -- Live objects of all its buckets.
  object_count bigint not null default 0,
  -- The last day (UTC) on which something was stored, removed or downloaded, and the bytes received and sent on it.
  usage_day date not null,
  day_uploaded_bytes bigint not null default 0,
  day_downloaded_bytes bigint not null default 0,
  created_at timestamptz(3) not null
);
create index organizations_plan_end on storage.organizations (plan_expires_at)
  where plan_end_told is distinct from plan_expires_at;

-- How an organization's days ended, written by the first change of a later day. A day without changes has no row.
create table storage.usage_days (
  org_id uuid not null references storage.organizations,
  day date not null,
  stored_bytes bigint not null,
  object_count bigint not null,
  uploaded_bytes bigint not null,
  downloaded_bytes bigint not null,
  -- What was sent in the month of this day, until its end.
  bandwidth_used_bytes bigint not null,
  primary key (org_id, day)
);

create table storage.users (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  email text not null,
  full_name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  password_hash text not null,
  -- Incremented when the password changes; tokens of an earlier epoch are no longer valid.
  token_epoch int not null default 1,
  totp_secret text,
  totp_enabled boolean not null default false,
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  unique (org_id, id)
);
create unique index users_email_key on storage.users (lower(email));
create unique index users_one_owner on storage.users (org_id) where role = 'owner';
create index users_members on storage.users (org_id, created_at, id);

-- A key that was created with another key is its child: a policy statement about the parent also applies to the child,
-- and both are revoked together. Both belong to the same user.
create table storage.api_keys (
  id uuid primary key,
  org_id uuid not null,
  user_id uuid not null,
  parent_id uuid,
  label text not null,
  key_prefix text not null,
  hash bytea not null unique,
  -- The part of the key that S3 requests name, and its secret, sealed: signatures cannot be checked with a hash.
  access_key text collate "C" not null unique,
  sealed_secret text not null,
  created_at timestamptz(3) not null,
  -- Written from time to time, not on every request.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint api_keys_of_person unique (org_id, user_id, id),
  foreign key (org_id, user_id) references storage.users (org_id, id) on delete cascade,
  foreign key (org_id, user_id, parent_id) references storage.api_keys (org_id, user_id, id) on delete cascade
);
create index api_keys_newest on storage.api_keys (org_id, user_id, id desc) where revoked_at is null;
create index api_keys_of_user on storage.api_keys (org_id, user_id);
create index api_keys_children on storage.api_keys (org_id, user_id, parent_id) where parent_id is not null;

-- What happened, by whom, from where; written in the transaction that it records.
create table storage.audit_logs (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  -- Before the other text columns, because searches read it from every row.
  object_key text collate "C" generated always as (payload ->> 'objectKey') stored,
  action text collate "C" not null,
  resource_type text not null,
  resource_id text not null,
  actor_user_id uuid,
  ip_address text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null
);
-- The log is read newest first, all of it or one action, or searched by a part of an object's key.
create index audit_logs_newest on storage.audit_logs (org_id, created_at desc, id desc);
create index audit_logs_action on storage.audit_logs (org_id, action, created_at desc, id desc);
create index audit_logs_object_key on storage.audit_logs using gin (object_key gin_trgm_ops)
  where object_key is not null;

-- The number of rows of each action per organization, so that a total does not have to count them. It is the sum of as
-- many slots as there were concurrent transactions, so that they never wait for one another.
create table storage.audit_counts (
  org_id uuid not null references storage.organizations,
  action text collate "C" not null,
  slot bigint generated always as identity,
  rows bigint not null,
  primary key (org_id, action, slot)
) with (fillfactor = 50);
