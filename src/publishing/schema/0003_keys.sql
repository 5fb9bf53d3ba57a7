create table publishing.api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references publishing.users,
  name text not null,
  key_prefix text not null,
  hash bytea not null unique,
  daily_post_limit int not null check (daily_post_limit between 1 and 1000),
  -- The posts of `posts_day`, a day of UTC; on any later day there are none yet.
  posts_today int not null default 0 check (posts_today between 0 and daily_post_limit),
  posts_day date not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
) with (fillfactor = 80);
create index api_keys_user on publishing.api_keys (user_id, id);
