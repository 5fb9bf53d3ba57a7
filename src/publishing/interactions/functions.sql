-- Each of these functions locks the post first, then the account.

-- Likes a post, once. Returns the number of likes, or why it was refused.
create or replace function publishing.like_post(p_post bigint, p_user bigint, p_now timestamptz) returns jsonb
language plpgsql as $$
declare
  likes int;
  author bigint;
begin
  select like_count, author_id into likes, author from publishing.posts where id = p_post and deleted_at is null
    for no key update;
  if not found then return jsonb_build_object('refusal', 'gone'); end if;
  perform from publishing.users where id = p_user and not is_suspended and deleted_at is null for share;
  if not found then return jsonb_build_object('refusal', 'suspended'); end if;
  insert into publishing.likes (post_id, user_id, created_at) values (p_post, p_user, p_now) on conflict do nothing;
  if found then
    update publishing.posts set like_count = like_count + 1 where id = p_post returning like_count into likes;
    perform publishing.notify(author, p_user, 'like', p_post, p_now);
    perform publishing.add_like_event('post.liked', p_post, author, p_user, likes);
  end if;
  return jsonb_build_object('like_count', likes);
end $$;

-- Takes a like back. Returns the number of likes, or null if the post is deleted.
create or replace function publishing.unlike_post(p_post bigint, p_user bigint) returns int
language plpgsql as $$
declare
  likes int;
  author bigint;
  was_counted boolean;
begin
  select like_count, author_id into likes, author from publishing.posts where id = p_post and deleted_at is null
    for no key update;
  if not found then return null; end if;
  delete from publishing.likes where post_id = p_post and user_id = p_user returning is_counted into was_counted;
  if not found then return likes; end if;
  delete from publishing.notifications where actor_id = p_user and post_id = p_post and type = 'like';
  if was_counted then
    update publishing.posts set like_count = like_count - 1 where id = p_post returning like_count into likes;
  end if;
  perform publishing.add_like_event('post.unliked', p_post, author, p_user, likes);
  return likes;
end $$;

-- The event for the author of a post that somebody else likes or no longer likes.
create or replace function publishing.add_like_event(
  p_type text, p_post bigint, p_author bigint, p_user bigint, p_likes int
) returns void language plpgsql as $$
begin
  if p_author = p_user then return; end if;
  insert into platform.events (service, owner, type, subject, data)
    values ('publishing', p_author::text, p_type, 'post/' || p_post, json_build_object('by', p_user, 'like_count', p_likes));
end $$;
