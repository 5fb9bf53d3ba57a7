-- Who follows whom. A request to follow a protected account is not accepted yet.
create table publishing.follows (
  id bigint generated always as identity,
  follower_id bigint not null references publishing.users,
  followee_id bigint not null references publishing.users,
  is_accepted boolean not null,
  -- Whether the row is included in the followee's `follower_count` and in the follower's `following_count`. Knowing that
  -- for each row, the follows of a suspended account can be reconciled in many short transactions.
  counts_as_follower boolean not null default true,
  counts_as_following boolean not null default true,
  created_at timestamptz(3) not null,
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id),
  check (is_accepted or not (counts_as_follower or counts_as_following))
);
-- In the order in which the lists are read, and with all they need.
create index follows_followers on publishing.follows (followee_id, is_accepted, id)
  include (follower_id, counts_as_follower);
create index follows_following on publishing.follows (follower_id, is_accepted, id)
  include (followee_id, counts_as_following);

create table publishing.blocks (
  blocker_id bigint not null references publishing.users,
  blocked_id bigint not null references publishing.users,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked on publishing.blocks (blocked_id);

create table publishing.mutes (
  muter_id bigint not null references publishing.users,
  muted_id bigint not null references publishing.users,
  primary key (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_muted on publishing.mutes (muted_id);
