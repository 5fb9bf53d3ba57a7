-- Sets `feed_changed_at` whenever something changes that the feed of an account shows.
--
-- HTTP dates have a resolution of one second. Two changes within a second therefore get different dates, the later one up
-- to a minute ahead of the clock.
create or replace function publishing.touch_feed() returns trigger language plpgsql as $$
begin
  new.feed_changed_at := least(
    greatest(now(), date_trunc('second', old.feed_changed_at) + interval '1 second'),
    now() + interval '60 seconds');
  return new;
end $$;

create or replace trigger touch_feed
  before update of username, bio, avatar_url, is_protected, is_suspended, post_count, feed_changed_at
  on publishing.users for each row execute function publishing.touch_feed();
