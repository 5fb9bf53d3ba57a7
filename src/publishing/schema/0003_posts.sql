create domain publishing.post_type as text check (value in ('post', 'reply', 'quote', 'repost'));
create domain publishing.reply_settings as text check (value in ('everyone', 'following', 'mentioned'));
-- Derived from the author: public, followers only (protected), or nobody (suspended; also every deleted post).
create domain publishing.audience as text check (value in ('public', 'followers', 'nobody'));

-- Accounts and posts are never removed (see `refuse_removal`), so the references of a post need no foreign keys.
create table publishing.posts (
  id bigint generated always as identity primary key,
  author_id bigint not null,
  type publishing.post_type not null,
  content text not null,
  -- Our own links are relative (`href="/…"`), so that the public address of the service may change.
  content_html text not null,
  parent_id bigint,
  root_id bigint,
  quote_of_id bigint,
  repost_of_id bigint,
  reply_settings publishing.reply_settings not null default 'everyone',
  hashtags text[] not null default '{}',
  mentions text[] not null default '{}',
  mention_ids bigint[] not null default '{}',
  audience publishing.audience not null,
  -- Replies, quotes and reposts by a protected account count only below its own posts: nobody else sees all of them.
  like_count publishing.counter not null default 0,
  repost_count publishing.counter not null default 0,
  quote_count publishing.counter not null default 0,
  reply_count publishing.counter not null default 0,
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  -- A deleted post stays as an empty row, so that its replies keep their place and the thread its reply settings.
  deleted_at timestamptz(3),
  check ((type = 'reply') = (parent_id is not null) and (type = 'reply') = (root_id is not null)),
  check ((type = 'quote') = (quote_of_id is not null) and (type = 'repost') = (repost_of_id is not null)),
  check (deleted_at is null or audience = 'nobody')
) with (fillfactor = 85);
-- No statistics of what no query filters by: to collect them would take half the time of an ANALYZE, which is run often while
-- many posts are written.
alter table publishing.posts
  alter column content set statistics 0,
  alter column content_html set statistics 0,
  alter column reply_settings set statistics 0,
  alter column hashtags set statistics 0,
  alter column mentions set statistics 0,
  alter column mention_ids set statistics 0,
  alter column like_count set statistics 0,
  alter column repost_count set statistics 0,
  alter column quote_count set statistics 0,
  alter column reply_count set statistics 0,
  alter column edited_at set statistics 0;
create index posts_author on publishing.posts (author_id, id desc) include (type, audience) where deleted_at is null;
-- The replies, quotes or reposts of one account, which are few among its posts. Plain posts are not in this index.
create index posts_by_type on publishing.posts (author_id, type, id desc) where type <> 'post' and deleted_at is null;
-- The explore and home timelines choose from the newest posts by the columns in this index alone.
create index posts_newest on publishing.posts (id desc) include (author_id, type, audience) where audience <> 'nobody';
create index posts_root on publishing.posts (root_id) where root_id is not null;
-- What stands below a post, in the order in which it is listed and with all that decides who may see it.
create index posts_replies on publishing.posts (parent_id, id) include (author_id, audience)
  where parent_id is not null and deleted_at is null;
create index posts_quotes on publishing.posts (quote_of_id, id desc) include (author_id, audience)
  where quote_of_id is not null and deleted_at is null;
create index posts_reposts on publishing.posts (repost_of_id, id desc) include (author_id, audience)
  where repost_of_id is not null and deleted_at is null;
create unique index posts_repost_once on publishing.posts (repost_of_id, author_id)
  where repost_of_id is not null and deleted_at is null;
-- What only some readers see below a post, and no counter includes.
create index posts_private on publishing.posts (coalesce(parent_id, quote_of_id, repost_of_id))
  where audience = 'followers' and coalesce(parent_id, quote_of_id, repost_of_id) is not null;

-- The earlier texts of edited posts.
create table publishing.post_versions (
  id bigint generated always as identity primary key,
  post_id bigint not null references publishing.posts,
  content text not null,
  created_at timestamptz(3) not null
);
create index post_versions_post on publishing.post_versions (post_id, id);

create table publishing.likes (
  id bigint generated always as identity,
  post_id bigint not null references publishing.posts,
  user_id bigint not null references publishing.users,
  -- Whether it is included in the post's `like_count`; not while the account is suspended.
  is_counted boolean not null default true,
  created_at timestamptz(3) not null,
  primary key (user_id, post_id)
);
create index likes_post on publishing.likes (post_id, id desc) include (user_id, is_counted);
