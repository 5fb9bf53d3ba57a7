-- Writes down that a key was created or revoked, with the key as the list returns it; never its secret.
create or replace function inventory.apply_key_change() returns trigger language plpgsql as $$
declare
  v_status text := case when new.revoked_at is not null then 'revoked'
    when inventory.day_start(new.tenant_id, new.expires_on + 1) <= new.created_at then 'expired' else 'active' end;
begin
  perform inventory.add_event(new.tenant_id, case tg_op when 'INSERT' then 'api_key.created' else 'api_key.revoked' end,
    'api_key/' || new.id, json_build_object('id', new.id, 'name', new.name,
      'permissions', case when new.can_write then '["read", "write"]'::json else '["read"]' end,
      'expires_at', new.expires_on, 'created_at', platform.iso_time(new.created_at), 'key_prefix', new.key_prefix,
      'last_used_at', platform.iso_time(new.last_used_at), 'is_active', v_status = 'active', 'status', v_status,
      'created_by_name', u.name, 'requests', new.logged_requests))
  from inventory.users u where u.tenant_id = new.tenant_id and u.id = new.created_by;
  return null;
end $$;
create or replace trigger key_created after insert on inventory.api_keys
  for each row execute function inventory.apply_key_change();
create or replace trigger key_revoked after update of revoked_at on inventory.api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function inventory.apply_key_change();
