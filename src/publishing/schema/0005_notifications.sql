create domain publishing.notification_type as text collate "C" check (value in
  ('like', 'repost', 'reply', 'quote', 'mention', 'follow', 'follow_request', 'follow_accepted'));

-- What others did that concerns an account, written by the statement that did it and removed by the one that undoes it.
-- Accounts and posts are never removed, so the references need no foreign keys.
create table publishing.notifications (
  id bigint generated always as identity,
  -- Who is told, and of whose act.
  user_id bigint not null,
  actor_id bigint not null,
  type publishing.notification_type not null,
  -- The account's own post that was liked or reposted, or the new post that replies to it, quotes it or mentions it.
  post_id bigint,
  is_read boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (user_id, id),
  check (user_id <> actor_id),
  check ((post_id is null) = (type in ('follow', 'follow_request', 'follow_accepted')))
) with (fillfactor = 90);
-- Nobody is told twice of the same act. Also finds what has to go with an act that is undone.
create unique index notifications_act on publishing.notifications (actor_id, post_id, type, user_id)
  nulls not distinct;
create index notifications_unread on publishing.notifications (user_id, id) where not is_read;
create index notifications_read on publishing.notifications (created_at) where is_read;

-- Accounts that are told of their unread notifications by mail, once a day.
create table publishing.digests (
  user_id bigint primary key references publishing.users,
  due_at timestamptz(3) not null,
  -- The newest notification that was mailed, or was there when the account chose to be told.
  upto bigint not null
);
create index digests_due_at on publishing.digests (due_at);
