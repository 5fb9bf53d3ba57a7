-- A profile as it is stored: pictures of our own have relative addresses.
create or replace function publishing.profile_of(u publishing.users) returns json language sql stable as $$
  select json_build_object('id', u.id, 'username', u.username, 'handle', u.handle, 'bio', u.bio,
    'avatar_url', u.avatar_url, 'banner_url', u.banner_url, 'location', u.location, 'website', u.website,
    'language', u.language,
    'is_verified', u.is_verified, 'is_protected', u.is_protected, 'follower_count', u.follower_count,
    'following_count', u.following_count, 'post_count', u.post_count, 'created_at', platform.iso_time(u.created_at))
$$;

-- An account itself is told only what others decide: whether it is verified or suspended.
create or replace function publishing.add_profile_event() returns trigger language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
    values ('publishing', 'by/' || new.id, 'user.updated', 'user/' || new.id, publishing.profile_of(new));
  if (old.is_verified, old.is_suspended) is distinct from (new.is_verified, new.is_suspended) then
    insert into platform.events (service, owner, type, subject, data)
      values ('publishing', new.id::text, 'user.updated', 'user/' || new.id, publishing.profile_of(new));
  end if;
  return null;
end $$;

create or replace trigger add_profile_event
  after update of username, bio, avatar_url, banner_url, location, website, language, is_verified, is_protected,
    is_suspended
  on publishing.users for each row
  when (new.deleted_at is null
    and (old.username, old.bio, old.avatar_url, old.banner_url, old.location, old.website, old.language,
      old.is_verified, old.is_protected, old.is_suspended)
    is distinct from (new.username, new.bio, new.avatar_url, new.banner_url, new.location, new.website, new.language,
      new.is_verified, new.is_protected, new.is_suspended))
  execute function publishing.add_profile_event();
