-- Every run of four characters in every word, shorter at its end: a word of any script and any part of one is
-- found by the runs it consists of. The same on every server, whatever its locale.
create function publishing.grams(words text) returns tsvector
language sql immutable parallel safe strict as $$
  select coalesce(array_to_tsvector(array_agg(distinct substr(word, at, 4))), ''::tsvector)
  from unnest(string_to_array(words, ' ')) word, generate_series(1, length(word)) at
$$;

create index post_words_grams on publishing.post_words using gin (publishing.grams(words))
  with (gin_pending_list_limit = 512);
create index users_grams on publishing.users using gin (publishing.grams(words)) where deleted_at is null;
create index tags_grams on publishing.tags using gin (publishing.grams(tag));

-- Adds the tags and words of posts that have become public.
create function publishing.publish_terms(ids bigint[], texts text[]) returns void language plpgsql as $$
begin
  insert into publishing.tags as t (tag, post_count)
    select tag, count(*) from publishing.posts, unnest(hashtags) tag where id = any (ids) group by tag order by tag
    on conflict (tag) do update set post_count = t.post_count + excluded.post_count;
  insert into publishing.post_tags (tag, post_id)
    select tag, id from publishing.posts, unnest(hashtags) tag where id = any (ids);
  insert into publishing.post_words (post_id, words)
    select id, words from unnest(ids, texts) new (id, words) where words <> '';
end $$;

-- Takes away the tags and words of posts that are public no longer.
create function publishing.withdraw_terms(ids bigint[]) returns void language plpgsql as $$
begin
  perform from publishing.tags where tag in (select tag from publishing.post_tags where post_id = any (ids))
    order by tag for no key update;
  with gone as (delete from publishing.post_tags where post_id = any (ids) returning tag)
  update publishing.tags t set post_count = t.post_count - n.count
    from (select tag, count(*) from gone group by tag) n where n.tag = t.tag;
  delete from publishing.post_words where post_id = any (ids);
end $$;

-- One post with everything that goes with it, in one round trip: the burst of the account, the day of the key,
-- the counters. Rows are locked in the order posts (by id), account, key, tags. A refusal changes nothing.
create function publishing.create_post(
  p_author bigint, p_key bigint, p_type text, p_content text, p_html text, p_words text,
  p_parent bigint, p_root bigint, p_quote bigint, p_reply_settings text,
  p_hashtags text[], p_mentions text[], p_mention_ids bigint[], p_now timestamptz, p_burst int
) returns table (refusal text, free_at timestamptz, post_id bigint) language plpgsql as $$
declare
  target bigint := coalesce(p_parent, p_quote);
  today date := (p_now at time zone 'UTC')::date;
  recent timestamptz[];
  account record;
  allowance record;
begin
  if target is not null then
    perform from publishing.posts where id = target and deleted_at is null for no key update;
    if not found then return query select 'gone', null::timestamptz, null::bigint; return; end if;
  end if;

  select u.recent_posts, u.is_protected, u.is_suspended, u.deleted_at into account
    from publishing.users u where u.id = p_author for no key update;
  if account.is_suspended or account.deleted_at is not null then
    return query select 'suspended', null::timestamptz, null::bigint; return;
  end if;
  recent := array(select t from unnest(account.recent_posts) t where t > p_now - interval '60 seconds' order by t);
  if cardinality(recent) >= p_burst then
    return query select 'burst', recent[cardinality(recent) - p_burst + 1] + interval '60 seconds', null::bigint; return;
  end if;

  if p_key is not null then
    select k.revoked_at, case when k.posts_day < today then 0 else k.posts_today end as used, k.daily_post_limit
      into allowance from publishing.api_keys k where k.id = p_key for no key update;
    if allowance.revoked_at is not null then
      return query select 'revoked', null::timestamptz, null::bigint; return;
    end if;
    if allowance.used >= allowance.daily_post_limit then
      return query select 'quota', (today + 1)::timestamp at time zone 'UTC', null::bigint; return;
    end if;
    update publishing.api_keys set posts_today = allowance.used + 1, posts_day = greatest(posts_day, today), last_used_at = p_now
      where id = p_key;
  end if;

  update publishing.users set post_count = post_count + 1,
    recent_posts = recent[greatest(1, cardinality(recent) - 98):] || p_now where id = p_author;
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
  if not account.is_protected then
    if cardinality(p_hashtags) > 0 then
      perform publishing.publish_terms(array[post_id], array[p_words]);
    else
      insert into publishing.post_words values (post_id, p_words);
    end if;
  end if;
  return query select null::text, null::timestamptz, post_id;
end $$;
