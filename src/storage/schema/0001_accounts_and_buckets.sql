create table storage.organizations (
  id uuid primary key,
  name text not null,
  slug text collate "C" not null constraint organizations_slug_key unique,
  plan_status text not null check (plan_status in ('trial', 'active')),
  plan_expires_at timestamptz(3) not null,
  storage_tier text not null,
  bandwidth_tier text not null,
  storage_quota_bytes bigint not null,
  bandwidth_quota_bytes bigint not null,
  storage_used_bytes bigint not null default 0 check (storage_used_bytes >= 0),
  bandwidth_used_bytes bigint not null default 0 check (bandwidth_used_bytes >= 0),
  created_at timestamptz(3) not null
);

create table storage.users (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  email text not null,
  full_name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  password_hash text not null,
  -- Goes up when the password changes; tokens of an earlier epoch are no longer valid.
  token_epoch int not null default 1,
  totp_secret text,
  totp_enabled boolean not null default false,
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  unique (org_id, id)
);
create unique index users_email_key on storage.users (lower(email));
create unique index users_one_owner on storage.users (org_id) where role = 'owner';

create table storage.api_keys (
  id uuid primary key,
  org_id uuid not null,
  user_id uuid not null,
  label text not null,
  key_prefix text not null,
  hash bytea not null unique,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  foreign key (org_id, user_id) references storage.users (org_id, id) on delete cascade
);
create index api_keys_org on storage.api_keys (org_id, id desc);

create table storage.buckets (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  name text collate "C" not null,
  visibility text not null check (visibility in ('private', 'public')),
  versioning_enabled boolean not null,
  region text not null,
  storage_quota_bytes bigint,
  object_count bigint not null default 0 check (object_count >= 0),
  total_size_bytes bigint not null default 0 check (total_size_bytes >= 0),
  created_at timestamptz(3) not null,
  constraint buckets_name_key unique (org_id, name),
  unique (org_id, id)
);
create index buckets_newest on storage.buckets (org_id, id desc);

-- What happened, by whom, from where; written in the transaction of what it records.
create table storage.audit_logs (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  -- Before the other texts, since searches read it of every row.
  object_key text collate "C" generated always as (payload ->> 'objectKey') stored,
  action text collate "C" not null,
  resource_type text not null,
  resource_id text not null,
  actor_user_id uuid,
  ip_address text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null
);
