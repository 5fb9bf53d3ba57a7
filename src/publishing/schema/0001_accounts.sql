-- Domains instead of checks, which PostgreSQL would parse again for every statement that writes to the table (ADR 35).
create domain publishing.counter as int check (value >= 0);

create table publishing.users (
  id bigint generated always as identity primary key,
  -- Email and handle are null once the account is deleted; the row stays, because deleted posts refer to it.
  email text,
  handle text collate "C",
  username text not null,
  password_hash text not null,
  -- Incremented when the password changes: sessions of an earlier epoch are no longer valid.
  token_epoch int not null default 1,
  bio text,
  location text,
  website text,
  -- In which the account writes; null for that of the instance.
  language text collate "C",
  avatar_url text,
  banner_url text,
  is_verified boolean not null default false,
  is_protected boolean not null default false,
  is_suspended boolean not null default false,
  is_admin boolean not null default false,
  -- Counters include only what everybody may see who may see the counter: nothing of a suspended account.
  follower_count publishing.counter not null default 0,
  following_count publishing.counter not null default 0,
  post_count publishing.counter not null default 0,
  -- Incremented when the account is suspended, protected or the opposite; 0 again once its posts, likes and follows have
  -- been reconciled with that.
  reconcile_mark int not null default 0,
  -- The times of its posts within the last minute, for the burst limit.
  recent_posts timestamptz(3)[] not null default '{}',
  -- When its feed last changed, for `If-Modified-Since`; deletions count as changes.
  feed_changed_at timestamptz(3) not null default now(),
  -- Handle and name, normalized for search.
  words text collate "C" not null default '',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((deleted_at is null) = (handle is not null) and (deleted_at is null) = (email is not null))
) with (fillfactor = 80);
create unique index users_email_key on publishing.users (lower(email));
create unique index users_handle_key on publishing.users (lower(handle));
create index users_reconcile on publishing.users (id) where reconcile_mark > 0;

-- Each sign-in begins a session: of a browser, which has a cookie, or of a program, which has tokens.
create table publishing.sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references publishing.users,
  -- The account's `token_epoch` at sign-in.
  epoch int not null,
  -- The hash of the cookie of a browser.
  cookie bytea unique,
  -- The browser and the system, or the program, as far as it said so.
  device text,
  created_at timestamptz(3) not null,
  -- Written every few minutes, not on every request.
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sessions_user on publishing.sessions (user_id, last_used_at);
create index sessions_expires_at on publishing.sessions (expires_at);

-- Each refresh token works once. One that is used again ends its session.
create table publishing.refresh_tokens (
  hash bytea primary key,
  session_id bigint not null references publishing.sessions on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index refresh_tokens_session on publishing.refresh_tokens (session_id);
create index refresh_tokens_expires_at on publishing.refresh_tokens (expires_at);

-- The new address of an account, until somebody opens the link that is mailed to it.
create table publishing.email_changes (
  user_id bigint primary key references publishing.users,
  email text not null,
  -- Of the token in the link; null until it is mailed.
  hash bytea unique,
  expires_at timestamptz(3) not null
);
create index email_changes_expires_at on publishing.email_changes (expires_at);

create domain publishing.daily_post_limit as int check (value between 1 and 1000);

create table publishing.api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references publishing.users,
  name text not null,
  key_prefix text not null,
  hash bytea not null unique,
  daily_post_limit publishing.daily_post_limit not null,
  -- The number of posts on `posts_day` (UTC); on any later day it counts as 0.
  posts_today int not null default 0 check (posts_today between 0 and daily_post_limit),
  posts_day date not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
) with (fillfactor = 80);
create index api_keys_user on publishing.api_keys (user_id, id);
-- An account has few active keys, but may have revoked any number.
create index api_keys_live on publishing.api_keys (user_id, id) where revoked_at is null;

-- The state of its feed that a WebSub hub was last told of, for accounts whose feeds changed lately.
create table publishing.hub_pings (
  user_id bigint primary key references publishing.users on delete cascade,
  feed_changed_at timestamptz(3) not null
);

-- Uploaded pictures of accounts. A row exists for as long as the account shows it: `path` is then its avatar_url or
-- banner_url.
create table publishing.pictures (
  user_id bigint not null references publishing.users,
  kind text not null check (kind in ('avatar', 'banner')),
  path text collate "C" not null unique,
  primary key (user_id, kind)
);

-- The files of pictures in the blob store, in two sizes each. A file whose picture is gone waits to be removed.
create table publishing.picture_files (
  id uuid primary key,
  path text collate "C" references publishing.pictures (path) on delete set null,
  variant text not null check (variant in ('large', 'small')),
  size_bytes int not null check (size_bytes > 0),
  md5 bytea not null check (length(md5) = 16),
  unique (path, variant)
);
create index picture_files_released on publishing.picture_files (id) where path is null;
