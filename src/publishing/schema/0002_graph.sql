-- Who follows whom; a request to a protected account waits until it is accepted.
create table publishing.follows (
  follower_id bigint not null references publishing.users,
  followee_id bigint not null references publishing.users,
  is_accepted boolean not null,
  created_at timestamptz(3) not null,
  id bigint generated always as identity,
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
-- In the order in which the lists are read.
create index follows_followers on publishing.follows (followee_id, is_accepted, id) include (follower_id);
create index follows_following on publishing.follows (follower_id, is_accepted, id) include (followee_id);

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
