-- Writes down that a plan has changed or has ended, with the plan as `GET /billing/plan` returns it.
create or replace function storage.add_plan_event() returns trigger language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  values ('storage', new.id::text, 'plan.updated', 'organization/' || new.id, json_build_object(
    'plan_status', case when new.plan_end_told = new.plan_expires_at then 'expired' else new.plan_status end,
    'plan_expires_at', platform.iso_time(new.plan_expires_at), 'storage_tier', new.storage_tier,
    'bandwidth_tier', new.bandwidth_tier, 'storage_quota_bytes', new.storage_quota_bytes,
    'bandwidth_quota_bytes', new.bandwidth_quota_bytes, 'object_quota', new.object_quota));
  return null;
end $$;
create or replace trigger plan_updated after update of plan_status, plan_expires_at, plan_end_told, storage_tier,
    bandwidth_tier, storage_quota_bytes, bandwidth_quota_bytes on storage.organizations
  for each row when ((old.plan_status, old.plan_expires_at, old.plan_end_told, old.storage_tier, old.bandwidth_tier,
      old.storage_quota_bytes, old.bandwidth_quota_bytes)
    is distinct from (new.plan_status, new.plan_expires_at, new.plan_end_told, new.storage_tier, new.bandwidth_tier,
      new.storage_quota_bytes, new.bandwidth_quota_bytes))
  execute function storage.add_plan_event();
