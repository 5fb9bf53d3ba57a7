create table storage.payments (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  user_id uuid not null,
  -- The provider's name for it.
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

-- Webhook events of the provider that were received, so that each counts once.
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
