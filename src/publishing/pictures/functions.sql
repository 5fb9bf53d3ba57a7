-- Shows an uploaded picture in place of the one that the account had. Returns false if there is no such account.
create or replace function publishing.set_picture(
  p_user bigint, p_kind text, p_path text, p_ids uuid[], p_variants text[], p_sizes int[], p_md5s bytea[]) returns boolean
language plpgsql as $$
begin
  -- The account is locked first, as by everybody who changes it.
  perform from publishing.users where id = p_user and deleted_at is null for no key update;
  if not found then return false; end if;
  delete from publishing.pictures where user_id = p_user and kind = p_kind;
  insert into publishing.pictures (user_id, kind, path) values (p_user, p_kind, p_path);
  insert into publishing.picture_files (id, path, variant, size_bytes, md5)
  select id, p_path, variant, size_bytes, md5
  from unnest(p_ids, p_variants, p_sizes, p_md5s) as file (id, variant, size_bytes, md5);
  if p_kind = 'avatar' then
    update publishing.users set avatar_url = p_path where id = p_user;
  else
    update publishing.users set banner_url = p_path where id = p_user;
  end if;
  return true;
end $$;

-- A picture exists for as long as its account shows it: whatever replaces or clears the address deletes it, and its files
-- wait to be removed.
create or replace function publishing.delete_hidden_pictures() returns trigger
language plpgsql as $$
begin
  delete from publishing.pictures
  where user_id = new.id
    and path is distinct from case kind when 'avatar' then new.avatar_url else new.banner_url end;
  return null;
end $$;

create or replace trigger delete_hidden_pictures
  after update of avatar_url, banner_url on publishing.users for each row
  when (old.avatar_url is distinct from new.avatar_url or old.banner_url is distinct from new.banner_url)
  execute function publishing.delete_hidden_pictures();
