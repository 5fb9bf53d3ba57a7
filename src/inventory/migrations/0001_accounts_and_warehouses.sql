create table inventory.tenants (
  id bigint generated always as identity primary key,
  name text not null,
  subscription_expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

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
