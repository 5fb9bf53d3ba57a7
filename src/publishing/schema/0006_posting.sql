-- One post with everything that goes with it, in one round trip: the burst of the account, the day of the key,
-- the counters. Rows are locked in the order posts, account, key, tags. A refusal changes nothing.
-- `free_at` is when a refused post would be accepted, `recent_posts` those of the last minute with this one.
create function publishing.create_post(
  p_author bigint, p_key bigint, p_type text, p_content text, p_html text, p_words text,
  p_parent bigint, p_root bigint, p_quote bigint, p_reply_settings text,
  p_hashtags text[], p_mentions text[], p_mention_ids bigint[], p_now timestamptz, p_burst int,
  out refusal text, out free_at timestamptz, out post_id bigint, out recent_posts timestamptz[]
) language plpgsql as $$
declare
  target bigint := coalesce(p_parent, p_quote);
  today date := (p_now at time zone 'UTC')::date;
  account record;
  allowance record;
begin
  if target is not null then
    perform from publishing.posts where id = target and deleted_at is null for no key update;
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
  if p_parent is not null then
    update publishing.posts set reply_count = reply_count + 1 where id = p_parent;
  elsif p_quote is not null then
    update publishing.posts set quote_count = quote_count + 1 where id = p_quote;
  end if;
  if account.is_protected then return; end if;
  if cardinality(p_hashtags) > 0 then
    perform publishing.publish_terms(array[post_id], array[p_words]);
  else
    insert into publishing.post_words values (post_id, p_words);
  end if;
end $$;
