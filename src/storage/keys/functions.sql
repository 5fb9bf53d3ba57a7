-- Writes down that keys are created and revoked, also with a key they descend from or with the member they belong to. `data`
-- is the key as `GET /auth/api-keys` lists it, and whose it is.
create or replace function storage.add_key_event() returns trigger language plpgsql as $$
declare
  k storage.api_keys := coalesce(new, old);
begin
  insert into platform.events (service, owner, type, subject, data)
  values ('storage', k.org_id::text, tg_argv[0], 'api_key/' || k.id, json_build_object('id', k.id, 'label', k.label,
    'key_prefix', k.key_prefix, 'created_at', platform.iso_time(k.created_at), 'parent_id', k.parent_id,
    'last_used_at', platform.iso_time(k.last_used_at), 'user_id', k.user_id));
  return null;
end $$;
create or replace trigger key_created after insert on storage.api_keys
  for each row execute function storage.add_key_event('api_key.created');
create or replace trigger key_revoked after update of revoked_at on storage.api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function storage.add_key_event('api_key.revoked');
create or replace trigger key_removed after delete on storage.api_keys
  for each row when (old.revoked_at is null) execute function storage.add_key_event('api_key.revoked');
