-- Writes down who joins and leaves an organization, with the member as `GET /members` lists them. Its owner is there from
-- the beginning.
create or replace function storage.add_member_event() returns trigger language plpgsql as $$
declare
  u storage.users := coalesce(new, old);
begin
  insert into platform.events (service, owner, type, subject, data)
  values ('storage', u.org_id::text, tg_argv[0], 'member/' || u.id, json_build_object('id', u.id,
    'full_name', u.full_name, 'email', u.email, 'role', u.role, 'created_at', platform.iso_time(u.created_at)));
  return null;
end $$;
create or replace trigger member_added after insert on storage.users
  for each row when (new.role <> 'owner') execute function storage.add_member_event('member.added');
create or replace trigger member_updated after update of full_name, email, role on storage.users
  for each row when ((old.full_name, old.email, old.role) is distinct from (new.full_name, new.email, new.role))
  execute function storage.add_member_event('member.updated');
create or replace trigger member_removed after delete on storage.users
  for each row execute function storage.add_member_event('member.removed');
