-- Writes down what happened to a user. The first user of a tenant comes with it, before anybody could read events.
create or replace function inventory.apply_user_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and not exists (
    select from inventory.users u where u.tenant_id = new.tenant_id and u.id <> new.id) then return null; end if;
  perform inventory.add_event(new.tenant_id, case tg_op when 'INSERT' then 'user.created' else 'user.updated' end,
    'user/' || new.id, json_build_object('id', new.id, 'name', new.name, 'email', new.email, 'role', new.role,
      'is_banned', new.is_banned, 'created_at', platform.iso_time(new.created_at)));
  return null;
end $$;
create or replace trigger user_created after insert on inventory.users
  for each row execute function inventory.apply_user_change();
create or replace trigger user_updated after update of name, email, role, is_banned on inventory.users
  for each row when ((old.name, old.email, old.role, old.is_banned)
    is distinct from (new.name, new.email, new.role, new.is_banned))
  execute function inventory.apply_user_change();
