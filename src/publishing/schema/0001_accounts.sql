create table publishing.users (
  id bigint generated always as identity primary key,
  -- Both are empty once the account is deleted: its row stays for the tombstones of its posts.
  email text,
  handle text collate "C",
  username text not null,
  password_hash text not null,
  -- Goes up when the password changes; tokens of an earlier epoch are no longer valid.
  token_epoch int not null default 1,
  bio text,
  location text,
  website text,
  avatar_url text,
  banner_url text,
  is_verified boolean not null default false,
  is_protected boolean not null default false,
  is_suspended boolean not null default false,
  is_admin boolean not null default false,
  follower_count int not null default 0 check (follower_count >= 0),
  following_count int not null default 0 check (following_count >= 0),
  post_count int not null default 0 check (post_count >= 0),
  -- The times of its posts within the last minute, for the burst limit.
  recent_posts timestamptz(3)[] not null default '{}',
  -- Handle and name, folded for search.
  words text collate "C" not null default '',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((deleted_at is null) = (handle is not null) and (deleted_at is null) = (email is not null))
) with (fillfactor = 80);
create unique index users_email_key on publishing.users (lower(email));
create unique index users_handle_key on publishing.users (lower(handle));

-- Refresh tokens. Each is used once; all that descend from one sign-in are a family and die together.
create table publishing.refresh_tokens (
  hash bytea primary key,
  family uuid not null,
  user_id bigint not null references publishing.users on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index refresh_tokens_family on publishing.refresh_tokens (family);
create index refresh_tokens_user on publishing.refresh_tokens (user_id);
create index refresh_tokens_expires_at on publishing.refresh_tokens (expires_at);
