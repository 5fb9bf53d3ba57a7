create table inventory.tenants (
  id bigint generated always as identity primary key,
  name text not null,
  subscription_expires_at timestamptz(3) not null,
  timezone text not null default 'UTC',
  oversell_policy text not null default 'backorder' check (oversell_policy in ('backorder', 'reject')),
  created_at timestamptz(3) not null
);

-- How a function refuses what a client asked: the status travels in the SQLSTATE (IN404), the text is public.
create function inventory.refuse(p_status int, p_message text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'IN' || p_status, message = p_message;
end $$;

-- The last number given out of each kind. No gaps, because it is taken in the transaction that uses it.
create table inventory.numbers (
  tenant_id bigint not null references inventory.tenants,
  kind text not null check (kind in ('product', 'order', 'purchase_order')),
  last bigint not null,
  primary key (tenant_id, kind)
) with (fillfactor = 50);

-- Answers the last of `p_count` numbers. Held until the end of the transaction: take it as late as possible.
create function inventory.next_number(p_tenant bigint, p_kind text, p_count bigint default 1) returns bigint
language sql as $$
  insert into inventory.numbers (tenant_id, kind, last) values (p_tenant, p_kind, p_count)
  on conflict (tenant_id, kind) do update set last = numbers.last + excluded.last
  returning last
$$;

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

-- When a day begins where the tenant is.
create function inventory.day_start(p_tenant bigint, p_day date) returns timestamptz language sql stable as $$
  select p_day::timestamp at time zone timezone from inventory.tenants where id = p_tenant
$$;
