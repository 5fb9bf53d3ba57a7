create or replace function inventory.apply_settings_change() returns trigger language plpgsql as $$
begin
  perform inventory.add_event(new.id, 'settings.updated', 'settings/' || new.id,
    json_build_object('timezone', new.timezone, 'oversell_policy', new.oversell_policy));
  return null;
end $$;
create or replace trigger settings_updated after update of timezone, oversell_policy on inventory.tenants
  for each row when ((old.timezone, old.oversell_policy) is distinct from (new.timezone, new.oversell_policy))
  execute function inventory.apply_settings_change();

create or replace function inventory.apply_company_change() returns trigger language plpgsql as $$
begin
  perform inventory.add_event(new.id, 'company.updated', 'company/' || new.id,
    json_build_object('id', new.id, 'name', new.name,
      'subscription_expires_at', platform.iso_time(new.subscription_expires_at),
      'created_at', platform.iso_time(new.created_at)));
  return null;
end $$;
create or replace trigger company_updated after update of name, subscription_expires_at on inventory.tenants
  for each row when ((old.name, old.subscription_expires_at) is distinct from (new.name, new.subscription_expires_at))
  execute function inventory.apply_company_change();
