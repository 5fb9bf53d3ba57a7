-- Notifications are written and removed within the functions that do and undo what they tell of. Whoever mutes the
-- actor, or is divided from it by a block, is not told. What suspended and protected accounts do is hidden when it is
-- read, because that may change.

-- Tells an account what another one has done.
create or replace function publishing.notify(
  p_user bigint, p_actor bigint, p_type text, p_post bigint, p_now timestamptz
) returns void language plpgsql as $$
begin
  if p_user = p_actor then return; end if;
  insert into publishing.notifications (user_id, actor_id, type, post_id, created_at)
    select p_user, p_actor, p_type, p_post, p_now
    where not exists (select from publishing.mutes where muter_id = p_user and muted_id = p_actor)
      and not exists (select from publishing.blocks where blocker_id = p_user and blocked_id = p_actor)
      and not exists (select from publishing.blocks where blocker_id = p_actor and blocked_id = p_user)
    on conflict do nothing;
end $$;

-- Tells those whom a new post replies to, quotes or mentions, each of them once.
create or replace function publishing.notify_of_post(p_id bigint) returns void language plpgsql as $$
begin
  perform publishing.notify(told.id, p.author_id, told.type, p.id, p.created_at)
    from publishing.posts p
      left join publishing.posts t on t.id = coalesce(p.parent_id, p.quote_of_id)
      cross join lateral (
        select t.author_id as id, p.type where t.id is not null
        union all
        select m.id, 'mention' from unnest(p.mention_ids) m (id) where m.id is distinct from t.author_id
      ) told
    where p.id = p_id;
end $$;

-- Tells both that a request to follow was accepted: for the followee the request becomes a follow.
create or replace function publishing.notify_of_acceptance(p_follower bigint, p_followee bigint, p_now timestamptz)
returns void language plpgsql as $$
begin
  update publishing.notifications set type = 'follow', is_read = true
    where actor_id = p_follower and post_id is null and type = 'follow_request' and user_id = p_followee;
  perform publishing.notify(p_follower, p_followee, 'follow_accepted', null, p_now);
end $$;
