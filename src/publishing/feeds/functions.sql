-- The time to record for a change of a feed that last changed at `p_last`.
--
-- HTTP dates have a resolution of one second. Two changes within a second therefore get different dates, the later one up
-- to a minute ahead of the clock.
create or replace function publishing.next_feed_change(p_last timestamptz) returns timestamptz language sql stable as $$
  select least(greatest(now(), date_trunc('second', p_last) + interval '1 second'), now() + interval '60 seconds')
$$;

-- Sets `feed_changed_at` whenever something changes that the feed of an account shows.
create or replace function publishing.touch_feed() returns trigger language plpgsql as $$
begin
  new.feed_changed_at := publishing.next_feed_change(old.feed_changed_at);
  return new;
end $$;

-- A statement that sets it itself spares the trigger.
create or replace trigger touch_feed
  before update of username, bio, avatar_url, language, is_protected, is_suspended, post_count, feed_changed_at
  on publishing.users for each row when (new.feed_changed_at = old.feed_changed_at)
  execute function publishing.touch_feed();
