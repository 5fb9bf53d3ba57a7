create table publishing.posts (
  id bigint generated always as identity primary key,
  author_id bigint not null references publishing.users,
  type text not null check (type in ('post', 'reply', 'quote', 'repost')),
  content text not null,
  -- Links of our own are relative (`href="/…"`), so that the public address may change.
  content_html text not null,
  parent_id bigint references publishing.posts,
  root_id bigint references publishing.posts,
  quote_of_id bigint references publishing.posts,
  repost_of_id bigint references publishing.posts,
  reply_settings text not null default 'everyone' check (reply_settings in ('everyone', 'following', 'mentioned')),
  hashtags text[] not null default '{}',
  mentions text[] not null default '{}',
  mention_ids bigint[] not null default '{}',
  -- Follows from the author: public, only for followers (protected), or for nobody (suspended, or deleted).
  audience text not null check (audience in ('public', 'followers', 'nobody')),
  like_count int not null default 0 check (like_count >= 0),
  repost_count int not null default 0 check (repost_count >= 0),
  quote_count int not null default 0 check (quote_count >= 0),
  reply_count int not null default 0 check (reply_count >= 0),
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  -- A deleted post stays as an empty tombstone, so that its replies keep their place and its thread its rules.
  deleted_at timestamptz(3),
  check ((type = 'reply') = (parent_id is not null) and (type = 'reply') = (root_id is not null)),
  check ((type = 'quote') = (quote_of_id is not null) and (type = 'repost') = (repost_of_id is not null)),
  check (deleted_at is null or audience = 'nobody')
) with (fillfactor = 85);
create index posts_author on publishing.posts (author_id, id desc) include (type, audience) where deleted_at is null;
-- Explore and home read the newest posts of all, and need no more than this to choose from them.
create index posts_newest on publishing.posts (id desc) include (author_id, type, audience) where audience <> 'nobody';
create index posts_replies on publishing.posts (parent_id, id) where parent_id is not null;
create index posts_root on publishing.posts (root_id) where root_id is not null;
create index posts_quotes on publishing.posts (quote_of_id, id desc) where quote_of_id is not null;
create unique index posts_repost_once on publishing.posts (repost_of_id, author_id)
  where repost_of_id is not null and deleted_at is null;

-- What a post said before it was edited.
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
  created_at timestamptz(3) not null,
  primary key (user_id, post_id)
);
create index likes_post on publishing.likes (post_id, id desc) include (user_id);

-- The tags and the words of public posts, and of no others.
create table publishing.tags (
  tag text collate "C" primary key,
  post_count int not null check (post_count >= 0)
) with (fillfactor = 80);

create table publishing.post_tags (
  tag text collate "C" not null references publishing.tags,
  post_id bigint not null references publishing.posts,
  primary key (tag, post_id)
);
create index post_tags_post on publishing.post_tags (post_id);

create table publishing.post_words (
  post_id bigint primary key references publishing.posts,
  words text collate "C" not null
);
