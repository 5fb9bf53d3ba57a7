-- A counter says what its list shows to everybody who may read the counter: nothing of a suspended account, and
-- what a protected account writes only below its own posts. Each like and follow keeps whether it is counted, so that
-- an account may be suspended in many short transactions and every counter is exact after each.
alter table publishing.likes add column is_counted boolean not null default true;
alter table publishing.follows
  -- In the followee's follower_count, and in the follower's following_count.
  add column follower_counts boolean not null default true,
  add column followee_counts boolean not null default true;
-- Goes up with every change of what an account is; 0 again once everything is in line with it.
alter table publishing.users add column unsettled int not null default 0;
create index users_unsettled on publishing.users (id) where unsettled > 0;

update publishing.likes l set is_counted = false from publishing.users u where u.id = l.user_id and u.is_suspended;
update publishing.posts p set like_count = p.like_count - n.count
  from (select post_id, count(*) from publishing.likes where not is_counted group by 1) n where n.post_id = p.id;

update publishing.follows f set follower_counts = f.is_accepted and not a.is_suspended,
    followee_counts = f.is_accepted and not b.is_suspended
  from publishing.users a, publishing.users b
  where a.id = f.follower_id and b.id = f.followee_id and (not f.is_accepted or a.is_suspended or b.is_suspended);
update publishing.users u set
    follower_count = (select count(*) from publishing.follows where followee_id = u.id and follower_counts),
    following_count = (select count(*) from publishing.follows where follower_id = u.id and followee_counts)
  where u.id in (
    select unnest(array[follower_id, followee_id]) from publishing.follows
    where is_accepted and not (follower_counts and followee_counts));

update publishing.posts p set reply_count = p.reply_count - n.replies, quote_count = p.quote_count - n.quotes,
    repost_count = p.repost_count - n.reposts
  from (
    select t.id, count(c.parent_id) as replies, count(c.quote_of_id) as quotes, count(c.repost_of_id) as reposts
    from publishing.posts c join publishing.posts t on t.id = coalesce(c.parent_id, c.quote_of_id, c.repost_of_id)
    where c.audience <> 'public' and c.deleted_at is null and c.author_id <> t.author_id and t.deleted_at is null
    group by t.id
  ) n where n.id = p.id;

alter table publishing.follows add check (is_accepted or not (follower_counts or followee_counts));
drop index publishing.likes_post, publishing.follows_followers, publishing.follows_following;
create index likes_post on publishing.likes (post_id, id desc) include (user_id, is_counted);
create index follows_followers on publishing.follows (followee_id, is_accepted, id)
  include (follower_id, follower_counts);
create index follows_following on publishing.follows (follower_id, is_accepted, id)
  include (followee_id, followee_counts);
create index posts_reposts on publishing.posts (repost_of_id, id desc) where repost_of_id is not null;
-- What only some readers see below a post, and no counter knows.
create index posts_private on publishing.posts (coalesce(parent_id, quote_of_id, repost_of_id))
  where audience = 'followers' and coalesce(parent_id, quote_of_id, repost_of_id) is not null;

-- One post with everything that goes with it, in one round trip: the burst of the account, the day of the key,
-- the counters. Rows are locked in the order posts, account, key, tags. A refusal changes nothing.
-- `free_at` is when a refused post would be accepted, `recent_posts` those of the last minute with this one.
create or replace function publishing.create_post(
  p_author bigint, p_key bigint, p_type text, p_content text, p_html text, p_words text,
  p_parent bigint, p_root bigint, p_quote bigint, p_reply_settings text,
  p_hashtags text[], p_mentions text[], p_mention_ids bigint[], p_now timestamptz, p_burst int,
  out refusal text, out free_at timestamptz, out post_id bigint, out recent_posts timestamptz[]
) language plpgsql as $$
declare
  target bigint := coalesce(p_parent, p_quote);
  target_author bigint;
  today date := (p_now at time zone 'UTC')::date;
  account record;
  allowance record;
begin
  if target is not null then
    select author_id into target_author from publishing.posts
      where id = target and deleted_at is null for no key update;
    if not found then refusal := 'gone'; return; end if;
  end if;

  select u.recent_posts, u.is_protected, u.is_suspended, u.deleted_at into account
    from publishing.users u where u.id = p_author for no key update;
  if account.is_suspended or account.deleted_at is not null then refusal := 'suspended'; return; end if;
  recent_posts := array(
    select t from unnest(account.recent_posts) t where t > p_now - interval '60 seconds' order by t);
  if cardinality(recent_posts) >= p_burst then
    refusal := 'burst';
    free_at := recent_posts[cardinality(recent_posts) - p_burst + 1] + interval '60 seconds';
    return;
  end if;

  if p_key is not null then
    select k.revoked_at, k.daily_post_limit, case when k.posts_day < today then 0 else k.posts_today end as used
      into allowance from publishing.api_keys k where k.id = p_key for no key update;
    if allowance.revoked_at is not null then refusal := 'revoked'; return; end if;
    if allowance.used >= allowance.daily_post_limit then
      refusal := 'quota';
      free_at := (today + 1)::timestamp at time zone 'UTC';
      return;
    end if;
    update publishing.api_keys k set posts_today = allowance.used + 1, posts_day = greatest(k.posts_day, today),
      last_used_at = p_now where k.id = p_key;
  end if;

  -- Without a burst limit the array must not grow for ever.
  recent_posts := recent_posts[greatest(1, cardinality(recent_posts) - 98):] || p_now;
  update publishing.users u set post_count = u.post_count + 1, recent_posts = create_post.recent_posts
    where u.id = p_author;
  insert into publishing.posts (author_id, type, content, content_html, parent_id, root_id, quote_of_id,
      reply_settings, hashtags, mentions, mention_ids, audience, created_at)
    values (p_author, p_type, p_content, p_html, p_parent, p_root, p_quote,
      p_reply_settings, p_hashtags, p_mentions, p_mention_ids,
      case when account.is_protected then 'followers' else 'public' end, p_now)
    returning id into post_id;
  if target is not null and (target_author = p_author or not account.is_protected) then
    update publishing.posts set reply_count = reply_count + (p_parent is not null)::int,
      quote_count = quote_count + (p_quote is not null)::int where id = target;
  end if;
  if account.is_protected then return; end if;
  if cardinality(p_hashtags) > 0 then
    perform publishing.publish_terms(array[post_id], array[p_words]);
  else
    insert into publishing.post_words values (post_id, p_words);
  end if;
end $$;
