-- Every substring of three characters of every word, and the shorter ones at its end. Words of any script, and parts of
-- them, are found by the trigrams they consist of. The result does not depend on the locale of the server.
-- In PL/pgSQL, because the planner would inline an SQL function anew for each statement; and with loops, which take a
-- quarter less time than a query.
create function publishing.trigrams(words text) returns tsvector
language plpgsql immutable parallel safe strict as $$
declare
  word text;
  start int;
  parts text[] := '{}';
begin
  foreach word in array string_to_array(words, ' ') loop
    for start in 1..length(word) loop
      parts := parts || substr(word, start, 3);
    end loop;
  end loop;
  return array_to_tsvector(parts);
end $$;

create index users_trigrams on publishing.users using gin (publishing.trigrams(words)) where deleted_at is null;

-- The tags and the texts of public posts, and of no others.
create table publishing.tags (
  tag text collate "C" primary key,
  post_count publishing.counter not null
) with (fillfactor = 80);
create index tags_trigrams on publishing.tags using gin (publishing.trigrams(tag));

-- Found from a post by its hashtags.
create table publishing.post_tags (
  tag text collate "C" not null,
  post_id bigint not null,
  primary key (tag, post_id)
);

create table publishing.post_words (
  post_id bigint primary key,
  words text collate "C" not null
);
-- Every search reads the pending list, so it is kept short.
create index post_words_trigrams on publishing.post_words using gin (publishing.trigrams(words))
  with (gin_pending_list_limit = 128);

-- No statistics of trigrams. To collect them would take most of the time of an ANALYZE; and where they say that most rows
-- match, the planner would compute the trigrams of every row rather than read the index, which takes fifty times as long.
alter index publishing.users_trigrams alter column 1 set statistics 0;
alter index publishing.tags_trigrams alter column 1 set statistics 0;
alter index publishing.post_words_trigrams alter column 1 set statistics 0;
