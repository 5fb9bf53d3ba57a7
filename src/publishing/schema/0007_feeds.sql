-- When a feed last changed in any way that a reader of `If-Modified-Since` must hear of, deletions included.
-- HTTP dates know whole seconds, so two changes never share one, unless there are very many at once.
alter table publishing.users add column feed_changed_at timestamptz(3) not null default now();

create function publishing.touch_feed() returns trigger language plpgsql as $$
begin
  new.feed_changed_at := least(
    greatest(now(), date_trunc('second', old.feed_changed_at) + interval '1 second'),
    now() + interval '60 seconds');
  return new;
end $$;

create trigger touch_feed
  before update of username, bio, avatar_url, is_protected, is_suspended, post_count, feed_changed_at
  on publishing.users for each row execute function publishing.touch_feed();

-- Sign-ins of browsers: what their cookie holds is kept as a hash.
create table publishing.browser_sessions (
  hash bytea primary key,
  user_id bigint not null references publishing.users,
  epoch int not null,
  expires_at timestamptz(3) not null
);
create index on publishing.browser_sessions (expires_at);
create index on publishing.browser_sessions (user_id);
