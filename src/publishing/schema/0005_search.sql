-- Every run of three characters in every word, shorter at its end: a word of any script and any part of one is
-- found by the runs it consists of. The same on every server, whatever its locale.
create function publishing.grams(words text) returns tsvector
language sql immutable parallel safe strict as $$
  select coalesce(array_to_tsvector(array_agg(substr(word, at, 3))), ''::tsvector)
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
