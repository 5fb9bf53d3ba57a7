-- Domains instead of checks, which PostgreSQL would parse again for every statement that writes to the table (ADR 35).
create domain inventory.number_kind as text check (value in ('order', 'purchase_order', 'count'));

-- A company with its own data. Every other row belongs to exactly one tenant.
create table inventory.tenants (
  id bigint generated always as identity primary key,
  name text not null,
  subscription_expires_at timestamptz(3) not null,
  timezone text not null default 'UTC',
  oversell_policy text not null default 'backorder' check (oversell_policy in ('backorder', 'reject')),
  created_at timestamptz(3) not null
);

-- The last number given out of each kind. Numbers have no gaps, because a number is taken in the transaction that uses
-- it.
create table inventory.numbers (
  tenant_id bigint not null references inventory.tenants,
  kind inventory.number_kind not null,
  last bigint not null,
  primary key (tenant_id, kind)
) with (fillfactor = 50);

-- How many rows the long lists of a tenant have, so that a page need not count them. Changes are appended, so that no
-- transaction waits for another, and added to the totals every minute.
create table inventory.list_totals (
  tenant_id bigint not null references inventory.tenants,
  list text not null check (list in ('products', 'active_products', 'customers')),
  total bigint not null,
  primary key (tenant_id, list)
);
create table inventory.list_changes (
  tenant_id bigint not null,
  list text not null,
  change bigint not null
);
create index list_changes_by_tenant on inventory.list_changes (tenant_id);

create table inventory.users (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references inventory.tenants,
  email text not null,
  name text not null,
  role text not null check (role in ('Admin', 'Manager', 'Staff')),
  is_banned boolean not null default false,
  password_hash text not null,
  -- Goes up when the password changes; tokens of an earlier epoch are no longer valid.
  token_epoch int not null default 1,
  created_at timestamptz(3) not null,
  unique (tenant_id, id)
);
create unique index users_email_key on inventory.users (lower(email));

create table inventory.warehouses (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  code text not null,
  address text,
  city text,
  state text,
  is_default boolean not null,
  created_at timestamptz(3) not null,
  constraint warehouses_code_key unique (tenant_id, code),
  unique (tenant_id, id)
);
create unique index warehouses_one_default on inventory.warehouses (tenant_id) where is_default;

create table inventory.api_keys (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  hash bytea not null,
  key_prefix text not null,
  can_write boolean not null,
  -- The last day on which it works, where the tenant is.
  expires_on date,
  created_by bigint not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- Both are written with the usage log: when the key was last used, and how many entries the log has of it.
  last_used_at timestamptz(3),
  logged_requests bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, created_by) references inventory.users (tenant_id, id)
) with (fillfactor = 70);
create unique index api_keys_hash_key on inventory.api_keys (hash);

-- The log of requests made with API keys.
create table inventory.api_usage (
  id bigint generated always as identity,
  tenant_id bigint not null,
  api_key_id bigint not null,
  method text not null,
  path text not null,
  status_code int not null,
  response_time_ms int not null,
  ip_address text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, api_key_id) references inventory.api_keys
);
create index api_usage_of_key on inventory.api_usage (tenant_id, api_key_id, id);
