-- Adds the hashtags of those among these posts that are public.
create or replace function publishing.index_tags(ids bigint[]) returns void language plpgsql as $$
begin
  with tagged as materialized (
    select tag, id from publishing.posts, unnest(hashtags) tag where id = any (ids) and audience = 'public'
  ), counted as (
    insert into publishing.tags as t (tag, post_count) select tag, count(*) from tagged group by tag order by tag
    on conflict (tag) do update set post_count = t.post_count + excluded.post_count
  )
  insert into publishing.post_tags (tag, post_id) select tag, id from tagged;
end $$;

-- Adds the hashtags and the searchable text of posts that have become public.
create or replace function publishing.index_posts(ids bigint[], texts text[]) returns void language plpgsql as $$
begin
  perform publishing.index_tags(ids);
  insert into publishing.post_words (post_id, words)
    select id, words from unnest(ids, texts) new (id, words) where words <> '';
end $$;

-- Removes the hashtags and the searchable text of posts that are no longer public, or will have others.
create or replace function publishing.unindex_posts(ids bigint[]) returns void language plpgsql as $$
begin
  perform from publishing.tags where tag in (select unnest(hashtags) from publishing.posts where id = any (ids))
    order by tag for no key update;
  with gone as (
    delete from publishing.post_tags t using publishing.posts p cross join lateral unnest(p.hashtags) hashtag
    where p.id = any (ids) and t.tag = hashtag and t.post_id = p.id
    returning t.tag
  )
  update publishing.tags t set post_count = t.post_count - n.count
    from (select tag, count(*) from gone group by tag) n where n.tag = t.tag;
  delete from publishing.post_words where post_id = any (ids);
end $$;

-- Charges a post to an API key; returns why it cannot be. On any later day the number of its posts counts as 0.
create or replace function publishing.charge_key(p_key bigint, p_now timestamptz) returns text language plpgsql as $$
declare
  today date := (p_now at time zone 'UTC')::date;
begin
  update publishing.api_keys set posts_today = case when posts_day < today then 0 else posts_today end + 1,
      posts_day = greatest(posts_day, today), last_used_at = p_now
    where id = p_key and revoked_at is null and (posts_day < today or posts_today < daily_post_limit);
  if found then return null; end if;
  return case when exists (select from publishing.api_keys where id = p_key and revoked_at is null)
    then 'quota' else 'revoked' end;
end $$;

-- Creates a post and updates every counter. Returns its id, or why it is refused and, if that is because of a limit, when
-- it would be accepted. A refused post changes nothing. `p_burst` is how many posts an account may publish within a minute;
-- `recent` are the times of those that it has, this one included. They are kept only if there is a limit. Times that lie
-- further ahead than the clocks of two nodes may differ come from a clock that has since been set back. They are left out:
-- otherwise the account would be locked out until the clock caught up.
--
-- Locks are taken in the order posts, accounts, API keys, tags.
create or replace function publishing.create_post(
  p_author bigint, p_key bigint, p_type text, p_content text, p_html text, p_words text, p_parent bigint, p_root bigint,
  p_quote_of bigint, p_reply_settings text, p_hashtags text[], p_mentions text[], p_mention_ids bigint[], p_burst int,
  p_now timestamptz, out post_id bigint, out refusal text, out free_at timestamptz, out recent timestamptz[]
) language plpgsql as $$
declare
  target bigint := coalesce(p_parent, p_quote_of);
  target_author bigint;
  author record;
begin
  if target is not null then
    select author_id into target_author from publishing.posts where id = target and deleted_at is null
      for no key update;
    if not found then refusal := 'gone'; return; end if;
  end if;
  select case when is_protected then 'followers' else 'public' end as audience, recent_posts into author
    from publishing.users
    where id = p_author and not is_suspended and deleted_at is null for no key update;
  if not found then refusal := 'suspended'; return; end if;
  recent := case when p_burst is null then '{}' else array(
    select at from unnest(author.recent_posts) at
    where at > p_now - interval '60 seconds' and at <= p_now + interval '10 seconds' order by at) end;
  if cardinality(recent) >= p_burst then
    refusal := 'burst';
    free_at := recent[cardinality(recent) - p_burst + 1] + interval '60 seconds';
    return;
  end if;
  if p_key is not null then
    refusal := publishing.charge_key(p_key, p_now);
    free_at := case when refusal = 'quota' then date_trunc('day', p_now, 'UTC') + interval '1 day' end;
    if refusal is not null then return; end if;
  end if;

  recent := case when p_burst is null then recent else recent || p_now end;
  update publishing.users set post_count = post_count + 1, recent_posts = recent,
    feed_changed_at = publishing.next_feed_change(feed_changed_at) where id = p_author;
  insert into publishing.posts (author_id, type, content, content_html, parent_id, root_id, quote_of_id, reply_settings,
      hashtags, mentions, mention_ids, audience, created_at)
    values (p_author, p_type, p_content, p_html, p_parent, p_root, p_quote_of, p_reply_settings, p_hashtags, p_mentions,
      p_mention_ids, author.audience, p_now)
    returning id into post_id;
  insert into platform.events (service, owner, type, subject, data)
    values ('publishing', 'by/' || p_author, 'post.created', 'post/' || post_id,
      json_build_object('content', p_content, 'content_html', p_html, 'hashtags', p_hashtags, 'mentions', p_mentions,
        'mention_ids', p_mention_ids));
  if author.audience = 'public' then
    insert into publishing.post_words (post_id, words) select create_post.post_id, p_words where p_words <> '';
    if p_hashtags <> '{}' then perform publishing.index_tags(array[post_id]); end if;
  end if;
  if target is not null and (author.audience = 'public' or p_author = target_author) then
    update publishing.posts set reply_count = reply_count + (p_parent is not null)::int,
      quote_count = quote_count + (p_quote_of is not null)::int where id = target;
  end if;
  if target is not null or p_mention_ids <> '{}' then
    perform publishing.notify_of_post(post_id);
    perform publishing.add_mention_events(post_id, '{}');
  end if;
end $$;

-- Reposts a public post, once. Returns the id of the repost and whether it is new, or why it was refused.
create or replace function publishing.repost(p_original bigint, p_author bigint, p_now timestamptz) returns jsonb
language plpgsql as $$
declare
  original_author bigint;
  new_audience text;
  repost_id bigint;
begin
  select author_id into original_author from publishing.posts where id = p_original and deleted_at is null
    for no key update;
  if not found then return jsonb_build_object('refusal', 'gone'); end if;
  select id into repost_id from publishing.posts
    where repost_of_id = p_original and author_id = p_author and deleted_at is null;
  if found then return jsonb_build_object('id', repost_id, 'created', false); end if;
  update publishing.users set post_count = post_count + 1
    where id = p_author and not is_suspended and deleted_at is null
    returning case when is_protected then 'followers' else 'public' end into new_audience;
  if not found then return jsonb_build_object('refusal', 'suspended'); end if;
  insert into publishing.posts (author_id, type, content, content_html, repost_of_id, audience, created_at)
    values (p_author, 'repost', '', '', p_original, new_audience, p_now) returning id into repost_id;
  update publishing.posts set repost_count = repost_count + 1
    where id = p_original and (author_id = p_author or new_audience = 'public');
  perform publishing.notify(original_author, p_author, 'repost', p_original, p_now);
  insert into platform.events (service, owner, type, subject, data)
    values ('publishing', 'by/' || p_author, 'post.created', 'post/' || repost_id, '{}');
  return jsonb_build_object('id', repost_id, 'created', true);
end $$;

-- Takes a repost back, as `delete_posts` would; a repost has no text, history or likes of its own. Returns its id, or null
-- if there is none.
create or replace function publishing.unrepost(p_original bigint, p_author bigint, p_now timestamptz) returns bigint
language plpgsql as $$
declare
  removed record;
begin
  perform from publishing.posts where id = p_original for no key update;
  select id, audience into removed from publishing.posts
    where repost_of_id = p_original and author_id = p_author and deleted_at is null for no key update;
  if not found then return null; end if;
  perform publishing.add_deletion_events(array[removed.id], p_author);
  update publishing.posts set audience = 'nobody', deleted_at = p_now where id = removed.id;
  delete from publishing.notifications where actor_id = p_author and post_id = p_original and type = 'repost';
  update publishing.users set post_count = post_count - 1 where id = p_author;
  update publishing.posts set repost_count = repost_count - 1
    where id = p_original and deleted_at is null and (author_id = p_author or removed.audience = 'public');
  perform platform.signal('publishing.post', changed::text) from unnest(array[p_original, removed.id]) changed;
  return removed.id;
end $$;

-- Changes the text of a post of `p_author`. Returns 'changed' or 'unchanged', or why it cannot be changed.
create or replace function publishing.edit_post(
  p_id bigint, p_author bigint, p_content text, p_html text, p_words text, p_hashtags text[], p_mentions text[],
  p_mention_ids bigint[], p_max_edits int, p_now timestamptz
) returns text language plpgsql as $$
declare
  post publishing.posts;
begin
  select * into post from publishing.posts where id = p_id and author_id = p_author and deleted_at is null
    for no key update;
  if not found then return 'gone'; end if;
  if post.type = 'repost' then return 'repost'; end if;
  if post.content = p_content then return 'unchanged'; end if;
  if (select count(*) from publishing.post_versions where post_id = p_id) >= p_max_edits then return 'edits'; end if;

  insert into publishing.post_versions (post_id, content, created_at)
    values (p_id, post.content, coalesce(post.edited_at, post.created_at));
  -- An edit changes the feed of the author, but none of the columns that the trigger watches.
  update publishing.users set feed_changed_at = feed_changed_at where id = p_author;
  perform publishing.unindex_posts(array[p_id]);
  update publishing.posts set content = p_content, content_html = p_html, hashtags = p_hashtags, mentions = p_mentions,
    mention_ids = p_mention_ids, edited_at = p_now where id = p_id;
  if post.audience = 'public' then perform publishing.index_posts(array[p_id], array[p_words]); end if;

  -- Tells those who are mentioned now, and takes back what the others were told.
  delete from publishing.notifications
    where actor_id = p_author and post_id = p_id and type = 'mention' and user_id <> all (p_mention_ids);
  perform publishing.notify(mentioned, p_author, 'mention', p_id, p_now) from unnest(p_mention_ids) mentioned
    where mentioned <> all (post.mention_ids) and not exists (
      select from publishing.notifications
      where actor_id = p_author and post_id = p_id and type in ('reply', 'quote') and user_id = mentioned);
  perform publishing.add_edit_events(p_id, post.mention_ids);
  perform platform.signal('publishing.post', p_id::text);
  return 'changed';
end $$;

-- Locks the posts among `p_ids` that are not deleted, and what they reply to, quote or repeat, which counts them.
create or replace function publishing.lock_with_originals(p_ids bigint[]) returns void language plpgsql as $$
begin
  perform from publishing.posts
    where deleted_at is null and id = any (p_ids || array(
      select coalesce(parent_id, quote_of_id, repost_of_id) from publishing.posts where id = any (p_ids)))
    order by id for no key update;
end $$;

-- Deletes posts of one account for good, with their text, history, likes and reposts; replies and quotes stay. An empty row
-- remains, which keeps the place of the post in its thread. Returns the posts that have changed, whether they are deleted
-- or counted them, and the authors of the deleted ones; nulls if there was nothing to delete.
--
-- Locks are taken in the order posts, accounts, tags, and by id within each table.
create or replace function publishing.delete_posts(
  p_ids bigint[], p_now timestamptz, out posts bigint[], out authors bigint[]
) language plpgsql as $$
declare
  author bigint;
  deleted bigint[];
begin
  perform publishing.lock_with_originals(p_ids);
  select min(author_id), array_agg(id) into author, deleted
    from publishing.posts where id = any (p_ids) and deleted_at is null;
  if deleted is null then return; end if;
  -- The originals are locked, so no more reposts can be added.
  deleted := array(select unnest(deleted) union select id from (
    select id from publishing.posts where repost_of_id = any (deleted) and deleted_at is null
    order by id for no key update) reposts);
  authors := array(select distinct author_id from publishing.posts where id = any (deleted));
  perform from publishing.users where id = any (authors) order by id for no key update;
  perform publishing.add_deletion_events(deleted, author);

  update publishing.users u set post_count = u.post_count - n.count
    from (select author_id, count(*) from publishing.posts where id = any (deleted) group by author_id) n
    where u.id = n.author_id;
  with recounted as (
    update publishing.posts p set reply_count = p.reply_count - n.replies, quote_count = p.quote_count - n.quotes,
      repost_count = p.repost_count - n.reposts
    from (
      select t.id, count(c.parent_id) as replies, count(c.quote_of_id) as quotes, count(c.repost_of_id) as reposts
      from publishing.posts c join publishing.posts t on t.id = coalesce(c.parent_id, c.quote_of_id, c.repost_of_id)
      where c.id = any (deleted) and (c.audience = 'public' or c.author_id = t.author_id) group by t.id
    ) n where p.id = n.id and p.deleted_at is null returning p.id
  )
  select array(select unnest(deleted) union select id from recounted) into posts;
  perform publishing.unindex_posts(deleted);

  -- What these posts told others: that they reply to them, quote, mention or repost them.
  delete from publishing.notifications n using publishing.posts p
    where p.id = any (deleted) and n.actor_id = p.author_id and n.post_id = coalesce(p.repost_of_id, p.id)
      and n.type = any (case p.type when 'repost' then '{repost}' else '{reply,quote,mention}' end::text[]);
  with unliked as (delete from publishing.likes where post_id = any (deleted) returning user_id, post_id)
  delete from publishing.notifications n using unliked
    where n.actor_id = unliked.user_id and n.post_id = unliked.post_id and n.type = 'like';
  delete from publishing.post_versions where post_id = any (deleted);
  update publishing.posts set content = '', content_html = '', hashtags = '{}', mentions = '{}', audience = 'nobody',
    like_count = 0, repost_count = 0, quote_count = 0, reply_count = 0, deleted_at = p_now
    where id = any (deleted);
  perform platform.signal('publishing.post', changed::text) from unnest(posts) changed;
  perform platform.signal('publishing.counters', changed::text) from unnest(authors) changed;
end $$;

-- The events of posts are those of their author, who is the owner `by/<id>`: whoever follows the author reads them. What
-- concerns one account alone has that account as its owner. An event of a post that still exists contains only what may
-- change later; the rest, and that it may be seen at all, is looked up when it is read.
create or replace function publishing.changing_parts(p publishing.posts) returns json language sql stable as $$
  select json_build_object('content', p.content, 'content_html', p.content_html, 'hashtags', p.hashtags,
    'mentions', p.mentions, 'mention_ids', p.mention_ids, 'edited_at', platform.iso_time(p.edited_at),
    'like_count', p.like_count, 'repost_count', p.repost_count, 'quote_count', p.quote_count, 'reply_count', p.reply_count)
$$;

-- Tells those whom a post mentions, and did not mention before.
create or replace function publishing.add_mention_events(p_id bigint, p_before bigint[]) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
    select 'publishing', m.id::text, 'post.mentioned', 'post/' || p.id,
      json_build_object('by', p.author_id, 'post', publishing.changing_parts(p))
    from publishing.posts p cross join lateral unnest(p.mention_ids) m (id)
    where p.id = p_id and m.id <> p.author_id and m.id <> all (p_before);
end $$;

-- After a post was edited; `p_before` are those whom it mentioned until then.
create or replace function publishing.add_edit_events(p_id bigint, p_before bigint[]) returns void language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
    select 'publishing', 'by/' || p.author_id, 'post.updated', 'post/' || p.id, publishing.changing_parts(p)
    from publishing.posts p where p.id = p_id;
  perform publishing.add_mention_events(p_id, p_before);
end $$;

-- Before posts are deleted by `p_by`: contains all of each post and of its author, who may be deleted too. If it is the
-- repost of somebody else that goes with its original, that account is told as well as its followers.
create or replace function publishing.add_deletion_events(p_ids bigint[], p_by bigint) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
    select 'publishing', told.owner, 'post.deleted', 'post/' || p.id, json_build_object(
      'by', p_by, 'audience', p.audience, 'post', json_build_object(
        'id', p.id, 'author_id', p.author_id, 'type', p.type, 'content', p.content, 'content_html', p.content_html,
        'parent_id', p.parent_id, 'root_id', p.root_id, 'quote_of_id', p.quote_of_id, 'repost_of_id', p.repost_of_id,
        'reply_settings', p.reply_settings, 'like_count', p.like_count, 'repost_count', p.repost_count,
        'quote_count', p.quote_count, 'reply_count', p.reply_count, 'hashtags', p.hashtags, 'mentions', p.mentions,
        'mention_ids', p.mention_ids, 'created_at', platform.iso_time(p.created_at),
        'edited_at', platform.iso_time(p.edited_at)),
      'author', publishing.profile_of(a))
    from publishing.posts p join publishing.users a on a.id = p.author_id
      cross join lateral (
        select 'by/' || p.author_id as owner union all select p.author_id::text where p.author_id <> p_by) told
    where p.id = any (p_ids) order by p.id;
end $$;

-- Accounts, posts and tags are never removed, only marked as deleted. That is why posts and their index tables need no
-- foreign keys, which would cost a lookup for each reference.
create or replace function publishing.refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception '% on %.% is not allowed', tg_op, tg_table_schema, tg_table_name;
end $$;

create or replace trigger users_are_kept before delete or truncate on publishing.users
  for each statement execute function publishing.refuse_removal();
create or replace trigger posts_are_kept before delete or truncate on publishing.posts
  for each statement execute function publishing.refuse_removal();
create or replace trigger tags_are_kept before delete or truncate on publishing.tags
  for each statement execute function publishing.refuse_removal();
