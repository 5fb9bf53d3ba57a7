-- Posting in fewer steps. Nothing is ever removed from accounts and posts: the database refuses that instead of looking
-- each reference up again.
alter table publishing.posts
  drop constraint posts_author_id_fkey,
  drop constraint posts_parent_id_fkey,
  drop constraint posts_root_id_fkey,
  drop constraint posts_quote_of_id_fkey,
  drop constraint posts_repost_of_id_fkey;
alter table publishing.post_words drop constraint post_words_post_id_fkey;
alter table publishing.post_tags drop constraint post_tags_post_id_fkey, drop constraint post_tags_tag_fkey;

create function publishing.refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception '% on %.% is not allowed', tg_op, tg_table_schema, tg_table_name;
end $$;
create trigger users_are_kept before delete or truncate on publishing.users
  for each statement execute function publishing.refuse_removal();
create trigger posts_are_kept before delete or truncate on publishing.posts
  for each statement execute function publishing.refuse_removal();
create trigger tags_are_kept before delete or truncate on publishing.tags
  for each statement execute function publishing.refuse_removal();

-- As in 0005, in a language whose functions are not read again for every statement that might take them apart.
create or replace function publishing.grams(words text) returns tsvector
language plpgsql immutable parallel safe strict as $$
begin
  return array_to_tsvector(array(
    select substr(word, at, 3) from unnest(string_to_array(words, ' ')) word, generate_series(1, length(word)) at));
end $$;

-- As in 0008; the posts of the last minute are kept only where there is a burst to limit.
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
begin
  if target is not null then
    select author_id into target_author from publishing.posts
      where id = target and deleted_at is null for no key update;
    if not found then refusal := 'gone'; return; end if;
  end if;

  select u.recent_posts, u.is_protected, u.is_suspended, u.deleted_at into account
    from publishing.users u where u.id = p_author for no key update;
  if account.is_suspended or account.deleted_at is not null then refusal := 'suspended'; return; end if;
  recent_posts := '{}';
  if p_burst is not null then
    recent_posts := array(
      select t from unnest(account.recent_posts) t where t > p_now - interval '60 seconds' order by t);
    if cardinality(recent_posts) >= p_burst then
      refusal := 'burst';
      free_at := recent_posts[cardinality(recent_posts) - p_burst + 1] + interval '60 seconds';
      return;
    end if;
    recent_posts := recent_posts || p_now;
  end if;

  -- Whoever posts by the key of an account holds the account by now.
  if p_key is not null then
    update publishing.api_keys k set posts_today = case when k.posts_day < today then 1 else k.posts_today + 1 end,
        posts_day = greatest(k.posts_day, today), last_used_at = p_now
      where k.id = p_key and k.revoked_at is null and (k.posts_day < today or k.posts_today < k.daily_post_limit);
    if not found then
      if (select k.revoked_at is null from publishing.api_keys k where k.id = p_key) then
        refusal := 'quota';
        free_at := (today + 1)::timestamp at time zone 'UTC';
      else
        refusal := 'revoked';
      end if;
      return;
    end if;
  end if;

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
