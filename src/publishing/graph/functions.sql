-- Each of these functions locks both accounts first, in the order of their ids, and is all that its request does in the
-- database. They signal what changes: whom an account follows and blocks, and the counters of accounts.

create or replace function publishing.signal_follow(p_follower bigint, p_followee bigint) returns void
language plpgsql as $$
begin
  perform platform.signal('publishing.relations', p_follower::text);
  perform platform.signal('publishing.counters', account::text) from unnest(array[p_follower, p_followee]) account;
end $$;

-- Follows an account, or asks to if it is protected. Returns whether the follow is accepted and whether it is new, or why
-- it was refused.
create or replace function publishing.follow(p_follower bigint, p_followee bigint, p_now timestamptz) returns jsonb
language plpgsql as $$
declare
  known record;
begin
  perform from publishing.users where id in (p_follower, p_followee) order by id for no key update;
  select f.is_accepted, not b.is_protected as accepts, not b.is_protected and not a.is_suspended as as_follower,
    not b.is_protected and not b.is_suspended as as_following, exists (
      select from publishing.blocks where blocker_id = p_follower and blocked_id = p_followee
        or blocker_id = p_followee and blocked_id = p_follower) as is_blocked
  into known
  from publishing.users a join publishing.users b on b.id = p_followee
    left join publishing.follows f on f.follower_id = a.id and f.followee_id = b.id
  where a.id = p_follower and a.deleted_at is null and b.deleted_at is null;
  if not found then return jsonb_build_object('refusal', 'gone'); end if;
  if known.is_accepted is not null then
    return jsonb_build_object('accepted', known.is_accepted, 'added', false);
  end if;
  if known.is_blocked then return jsonb_build_object('refusal', 'blocked'); end if;

  insert into publishing.follows
    (follower_id, followee_id, is_accepted, counts_as_follower, counts_as_following, created_at)
    values (p_follower, p_followee, known.accepts, known.as_follower, known.as_following, p_now);
  if known.accepts then
    update publishing.users set
        follower_count = follower_count + (id = p_followee and known.as_follower)::int,
        following_count = following_count + (id = p_follower and known.as_following)::int
      where id in (p_follower, p_followee);
    perform publishing.signal_follow(p_follower, p_followee);
  end if;
  perform publishing.notify(
    p_followee, p_follower, case when known.accepts then 'follow' else 'follow_request' end, null, p_now);
  perform publishing.add_follow_event(
    case when known.accepts then 'user.followed' else 'user.follow_requested' end, p_follower, p_followee);
  return jsonb_build_object('accepted', known.accepts, 'added', true);
end $$;

-- Removes a follow between accounts that are locked already; returns whether there was one that had been accepted.
create or replace function publishing.remove_follow(p_follower bigint, p_followee bigint) returns boolean
language plpgsql as $$
declare
  removed record;
begin
  delete from publishing.follows where follower_id = p_follower and followee_id = p_followee
    returning is_accepted, counts_as_follower, counts_as_following into removed;
  if not found then return false; end if;
  delete from publishing.notifications where actor_id = p_follower and post_id is null
    and type in ('follow', 'follow_request') and user_id = p_followee;
  delete from publishing.notifications where actor_id = p_followee and post_id is null
    and type = 'follow_accepted' and user_id = p_follower;
  if not removed.is_accepted then return false; end if;
  update publishing.users set
      follower_count = follower_count - (id = p_followee and removed.counts_as_follower)::int,
      following_count = following_count - (id = p_follower and removed.counts_as_following)::int
    where id in (p_follower, p_followee);
  return true;
end $$;

create or replace function publishing.unfollow(p_follower bigint, p_followee bigint) returns boolean
language plpgsql as $$
begin
  perform from publishing.users where id in (p_follower, p_followee) order by id for no key update;
  if not publishing.remove_follow(p_follower, p_followee) then return false; end if;
  perform publishing.add_follow_event('user.unfollowed', p_follower, p_followee);
  perform publishing.signal_follow(p_follower, p_followee);
  return true;
end $$;

-- Accepts a request to follow; returns whether there was one.
create or replace function publishing.accept_follow(p_follower bigint, p_followee bigint, p_now timestamptz)
returns boolean
language plpgsql as $$
declare
  accepted record;
begin
  perform from publishing.users where id in (p_follower, p_followee) order by id for no key update;
  update publishing.follows f set is_accepted = true, counts_as_follower = not a.is_suspended,
      counts_as_following = not b.is_suspended
    from publishing.users a, publishing.users b
    where f.follower_id = p_follower and f.followee_id = p_followee and not f.is_accepted
      and a.id = p_follower and b.id = p_followee
    returning f.counts_as_follower, f.counts_as_following into accepted;
  if not found then return false; end if;
  update publishing.users set
      follower_count = follower_count + (id = p_followee and accepted.counts_as_follower)::int,
      following_count = following_count + (id = p_follower and accepted.counts_as_following)::int
    where id in (p_follower, p_followee);
  perform publishing.notify_of_acceptance(p_follower, p_followee, p_now);
  perform publishing.add_follow_event('user.followed', p_follower, p_followee);
  perform publishing.signal_follow(p_follower, p_followee);
  return true;
end $$;

-- The event for who is followed, asked or no longer followed. `by` is from whom it comes.
create or replace function publishing.add_follow_event(p_type text, p_follower bigint, p_followee bigint) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
    values ('publishing', p_followee::text, p_type, 'user/' || p_followee, json_build_object('by', p_follower));
end $$;

-- Blocks an account and ends follows both ways. Returns those who were followers, or null if one of the two is deleted.
-- The blocked account is not told. The blocker is told whom it has lost, in an event that does not come from the blocked
-- account: what does would be hidden.
create or replace function publishing.block(p_blocker bigint, p_blocked bigint) returns bigint[]
language plpgsql as $$
declare
  locked int;
  followed boolean;
  was_followed boolean;
begin
  perform from publishing.users where id in (p_blocker, p_blocked) and deleted_at is null
    order by id for no key update;
  get diagnostics locked = row_count;
  if locked < 2 then return null; end if;
  insert into publishing.blocks (blocker_id, blocked_id) values (p_blocker, p_blocked) on conflict do nothing;
  followed := publishing.remove_follow(p_blocker, p_blocked);
  was_followed := publishing.remove_follow(p_blocked, p_blocker);
  perform platform.signal('publishing.relations', p_blocker::text);
  if followed then perform publishing.signal_follow(p_blocker, p_blocked); end if;
  if was_followed then
    perform publishing.signal_follow(p_blocked, p_blocker);
    insert into platform.events (service, owner, type, subject, data)
      values ('publishing', p_blocker::text, 'user.unfollowed', 'user/' || p_blocker, json_build_object('user', p_blocked));
  end if;
  return array_remove(array[case when followed then p_blocker end, case when was_followed then p_blocked end], null);
end $$;
